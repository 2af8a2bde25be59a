package upstream

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// redact hides the entry's secrets in a text that came from outside.
func (p *peer) redact(s string) string { return p.hide.Load().Replace(s) }

// redactJSON hides them in the strings and keys of a value. A value that holds none
// stays as it is, to the byte; one that can't be read is left out.
func (p *peer) redactJSON(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	clean, found := p.redactValue(v)
	if !found {
		return raw
	}
	out, err := json.Marshal(clean)
	if err != nil {
		return nil
	}
	return out
}

func (p *peer) redactValue(v any) (clean any, found bool) {
	switch v := v.(type) {
	case string:
		s := p.redact(v)
		return s, s != v
	case []any:
		for i := range v {
			var in bool
			v[i], in = p.redactValue(v[i])
			found = found || in
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			name := p.redact(key)
			value, in := p.redactValue(value)
			out[name] = value
			found = found || in || name != key
		}
		return out, found
	}
	return v, found
}

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
