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

// redactJSON hides them in the strings and keys of a value. One that can't be read
// is left out.
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
	out, err := json.Marshal(p.redactValue(v))
	if err != nil {
		return nil
	}
	return out
}

func (p *peer) redactValue(v any) any {
	switch v := v.(type) {
	case string:
		return p.redact(v)
	case []any:
		for i := range v {
			v[i] = p.redactValue(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for key, value := range v {
			clean[p.redact(key)] = p.redactValue(value)
		}
		return clean
	}
	return v
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
