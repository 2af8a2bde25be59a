package upstream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

const (
	// oauthTimeout bounds one request to an authorization server.
	oauthTimeout = 15 * time.Second
	// maxOAuthBody bounds its answer, in bytes.
	maxOAuthBody = 1 << 20
)

// newOAuthClient is what talks to authorization servers. None of the entry's headers
// goes there. The addresses come from the server, so they are held to what a user
// would expect: https, and this machine only for a server that is on it.
func newOAuthClient(server *url.URL, insecure bool) *http.Client {
	base := http.DefaultTransport.(*http.Transport).Clone() // the type is documented
	base.DisableKeepAlives = true                           // a few requests an hour
	base.MaxResponseHeaderBytes = maxHeaderBytes
	return &http.Client{
		Timeout:   oauthTimeout,
		Transport: careful{base, insecure || isLoopback(server.Hostname())},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if first := via[0].URL; req.URL.Host != first.Host || req.URL.Scheme != first.Scheme || len(via) > maxRedirects {
				return errors.New("the authorization server redirects elsewhere, which is not followed")
			}
			return nil
		},
	}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// careful refuses addresses and bounds answers.
type careful struct {
	base  http.RoundTripper
	local bool // this machine may be asked, and without encryption
}

func (c careful) RoundTrip(req *http.Request) (*http.Response, error) {
	here := isLoopback(req.URL.Hostname())
	if here && !c.local || req.URL.Scheme != "https" && !c.local {
		return nil, fmt.Errorf("the server sends us to %s://%s for its login, which is not gone to", clean(req.URL.Scheme), clean(req.URL.Host))
	}
	res, err := c.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	res.Body = &body{Reader: io.LimitReader(res.Body, maxOAuthBody), Closer: res.Body, end: func() {}}
	return res, nil
}

// withResource adds the resource to the renewal of a token (RFC 8707), which
// golang.org/x/oauth2 has no way to say.
type withResource struct {
	base     http.RoundTripper
	resource string
}

func (w withResource) RoundTrip(req *http.Request) (*http.Response, error) {
	if w.resource == "" || req.Body == nil || req.Method != http.MethodPost {
		return w.base.RoundTrip(req)
	}
	defer req.Body.Close()
	text, err := io.ReadAll(io.LimitReader(req.Body, maxOAuthBody))
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(text))
	if err != nil {
		return nil, err
	}
	form.Set("resource", w.resource)
	text = []byte(form.Encode())
	req = req.Clone(req.Context())
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return w.base.RoundTrip(req)
}
