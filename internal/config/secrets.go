package config

import (
	"net/url"
	"slices"
	"strings"
)

// minSecret is how long a value must be to be taken for a secret, in bytes:
// hiding every "1" would make messages unreadable.
const minSecret = 6

// Sensitive reports whether what is written in the entry is not for scripts: more than
// the names of a program or of a server that says what anybody may know.
func (s *Server) Sensitive() bool {
	u, err := url.Parse(s.URL)
	return len(s.Args)+len(s.Env)+len(s.Headers)+len(s.Secrets) > 0 || s.OAuth != nil || err != nil || u.User != nil || u.RawQuery != ""
}

func (s *Server) keepSecrets() {
	for _, m := range []map[string]string{s.Env, s.Headers} {
		for _, v := range m {
			if openValue(v) {
				continue
			}
			s.Secrets = append(s.Secrets, v)
			if _, token, ok := strings.Cut(v, " "); ok { // Bearer abc
				s.Secrets = append(s.Secrets, token)
			}
		}
	}
	if s.OAuth != nil {
		s.Secrets = append(s.Secrets, s.OAuth.ClientSecret)
	}
	if u, err := url.Parse(s.URL); err == nil {
		if password, ok := u.User.Password(); ok {
			s.Secrets = append(s.Secrets, password)
		}
		s.Secrets = append(s.Secrets, u.RawQuery)
		for _, values := range u.Query() {
			s.Secrets = append(s.Secrets, values...)
		}
	}
	s.Secrets = slices.DeleteFunc(s.Secrets, func(v string) bool { return len(v) < minSecret })
	// A longer one first: another may be a part of it.
	slices.SortFunc(s.Secrets, func(a, b string) int { return len(b) - len(a) })
}
