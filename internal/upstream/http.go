package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode-mcp/internal/config"
)

const (
	// maxErrorBody bounds the body of an answer that is an error, in bytes.
	maxErrorBody = 64 << 10
	// maxRedirects bounds redirects within one host.
	maxRedirects = 3
	// dialTimeout bounds the handshake with a host.
	dialTimeout = 10 * time.Second
	// maxHeaderBytes bounds the headers of an answer, in bytes.
	maxHeaderBytes = 256 << 10
	// idleConns is how many idle connections are kept to a host.
	idleConns = 8
	// codeTooLarge is the JSON-RPC code under which an answer that is too large
	// crosses the SDK's decoder.
	codeTooLarge = -32098
)

// web is what all requests to one server go through: it adds the entry's headers,
// bounds what is read, and can be stopped.
type web struct {
	base     http.RoundTripper
	headers  map[string]string
	max      int
	ctx      context.Context // ends every request
	stop     context.CancelFunc
	revision atomic.Pointer[string]
	client   *http.Client
	token    func() string     // nil: the entry's own headers are all there is
	oauth    auth.OAuthHandler // nil: the entry brings its own Authorization
}

// openHTTP makes a connection. Nothing is sent yet.
func (p *peer) openHTTP(ctx context.Context) (mcp.Connection, *web, error) {
	endpoint, err := url.Parse(p.cfg.URL)
	if err != nil {
		return nil, nil, errors.New("the url can't be read") // not quoted: it may hold a secret
	}
	base := http.DefaultTransport.(*http.Transport).Clone() // the type is documented
	base.MaxIdleConnsPerHost = idleConns
	base.TLSHandshakeTimeout = dialTimeout
	base.MaxResponseHeaderBytes = maxHeaderBytes
	w := &web{base: base, headers: p.cfg.Headers, max: p.maxMessage()}
	if p.mine != nil && p.cfg.ForwardToken {
		w.token = func() string { return *p.mine.token.Load() } // set before the first start
	}
	w.ctx, w.stop = context.WithCancel(context.Background())
	context.AfterFunc(w.ctx, base.CloseIdleConnections)
	w.client = &http.Client{Transport: w, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if req.URL.Host != endpoint.Host || req.URL.Scheme != endpoint.Scheme {
			return fmt.Errorf("it redirects to another host (%s), which is not followed", req.URL.Host)
		}
		if len(via) > maxRedirects {
			return fmt.Errorf("it redirects more than %d times", maxRedirects)
		}
		return nil
	}}
	transport := &mcp.StreamableClientTransport{
		Endpoint:   p.cfg.URL,
		HTTPClient: w.client,
		// Its GET has been seen to hang, and outlives its context: see [stream].
		DisableStandaloneSSE: true,
		MaxEventSize:         w.max,
	}
	if p.cfg.LogsIn() && w.token == nil {
		client := newOAuthClient(endpoint, p.cfg.Insecure)
		if p.cfg.OAuth != nil && p.cfg.OAuth.Grant == config.CredentialsGrant {
			transport.OAuthHandler = &credentials{p: p, client: client}
		} else {
			transport.OAuthHandler = p.newLogin(client)
		}
	}
	w.oauth = transport.OAuthHandler
	conn, err := transport.Connect(ctx)
	return conn, w, err
}

// setRevision is told which revision initialize agreed on: the tap hides that
// from the SDK's transport, which would else say it in a header.
func (w *web) setRevision(r string) { w.revision.Store(&r) }

// RoundTrip sends one request.
func (w *web) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	stop := context.AfterFunc(w.ctx, cancel)
	req = req.Clone(ctx)
	for name, value := range w.headers {
		req.Header.Set(name, value)
	}
	if w.token != nil {
		req.Header.Set("Authorization", "Bearer "+w.token())
	}
	if r := w.revision.Load(); r != nil && req.Header.Get("Mcp-Protocol-Version") == "" {
		req.Header.Set("Mcp-Protocol-Version", *r)
	}
	res, err := w.base.RoundTrip(req)
	if err != nil {
		stop()
		cancel()
		return nil, err
	}
	end := func() { stop(); cancel() }
	switch {
	case res.StatusCode < 200 || res.StatusCode > 299:
		res.Body = &body{Reader: io.LimitReader(res.Body, maxErrorBody), Closer: res.Body, end: end}
	case strings.HasPrefix(res.Header.Get("Content-Type"), "application/json"):
		if err := w.bound(req, res, end); err != nil {
			return nil, err
		}
		return res, nil
	default: // events: the SDK bounds each
		res.Body = &body{Reader: res.Body, Closer: res.Body, end: end}
	}
	return res, nil
}

// body is a response's body that ends the request's context when it is closed.
type body struct {
	io.Reader
	io.Closer
	end func()
}

func (b *body) Close() error {
	defer b.end()
	return b.Closer.Close()
}

// bound reads an answer that is one piece of JSON. One that is too large becomes
// an error to the call it belongs to: the SDK would end the session.
func (w *web) bound(req *http.Request, res *http.Response, end func()) error {
	defer end()
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, int64(w.max)+1))
	if err != nil {
		return err
	}
	if len(text) > w.max {
		text = w.refusal(req)
		res.ContentLength = int64(len(text))
	}
	res.Body = io.NopCloser(bytes.NewReader(text))
	return nil
}

func (w *web) refusal(req *http.Request) []byte {
	var call struct {
		ID json.RawMessage `json:"id"`
	}
	if req.GetBody != nil {
		if sent, err := req.GetBody(); err == nil {
			defer sent.Close()
			_ = json.NewDecoder(sent).Decode(&call) // without a number the answer is for nobody
		}
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"the result has more than %d bytes"}}`, call.ID, codeTooLarge, w.max)
}
