package upstream

import (
	"net/url"
	"slices"
	"strings"
)

// redact hides the entry's secrets in a text that came from outside.
func (p *peer) redact(s string) string { return p.hide.Load().Replace(s) }

// hideAlso adds to what is hidden: tokens come and go.
func (p *peer) hideAlso(secrets ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var pairs []string
	if u, err := url.Parse(p.cfg.URL); err == nil && len(u.Path) > 1 { // a path may be a password too
		pairs = append(pairs, p.cfg.URL, u.Scheme+"://"+u.Host+"/***")
	}
	for _, s := range secrets {
		if s != "" && !slices.Contains(p.secrets, s) {
			p.secrets = append(p.secrets, s)
		}
	}
	p.secrets = p.secrets[max(0, len(p.secrets)-maxSecrets):]
	for _, s := range slices.Concat(p.secrets, p.cfg.Secrets) {
		pairs = append(pairs, s, "***")
	}
	p.hide.Store(strings.NewReplacer(pairs...))
}

// maxSecrets is how many tokens of the past are still hidden.
const maxSecrets = 20
