package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// OAuth is how we log in to a server. Without it a server that wants a login gets
// one with what it tells us.
type OAuth struct {
	// ClientID and ClientSecret were given to us by the operator of the server.
	ClientID, ClientSecret string
	// Scopes are asked for in place of those that the server names.
	Scopes []string
	// Grant is how a token is had: CodeGrant or CredentialsGrant.
	Grant string
	// CallbackPort is where the browser comes back to. Zero means any free port.
	CallbackPort int
}

// The grants.
const (
	// CodeGrant: the user logs in with a browser.
	CodeGrant = "authorization_code"
	// CredentialsGrant: we log in with our own secret.
	CredentialsGrant = "client_credentials"
)

var (
	oauthKeys = []string{"clientId", "clientSecret", "scopes", "grant", "callbackPort"}
	// foreignOAuthKeys are those of other clients.
	foreignOAuthKeys = []string{"enabled", "authorizationUrl", "tokenUrl", "redirectUri", "audiences", "authServerMetadataUrl", "tokenParamName"}
)

func (f *file) oauth(at string, raw json.RawMessage) (*OAuth, error) {
	fields, err := members(raw)
	if err != nil {
		return nil, &Error{at, err.Error()}
	}
	o := &OAuth{}
	for _, m := range fields {
		where := at + "." + m.key
		switch m.key {
		case "clientId":
			err = read(where, m.value, "a string", &o.ClientID)
		case "clientSecret":
			err = read(where, m.value, "a string", &o.ClientSecret)
		case "scopes":
			var one string
			if json.Unmarshal(m.value, &one) == nil && kindOf(m.value) == "a string" {
				o.Scopes = strings.Fields(one)
			} else {
				err = read(where, m.value, "a list of strings", &o.Scopes)
			}
		case "grant":
			if err = read(where, m.value, "a string", &o.Grant); err == nil {
				_, err = oneOf(where, o.Grant, CodeGrant, CredentialsGrant)
			}
		case "callbackPort":
			if err = read(where, m.value, "a whole number", &o.CallbackPort); err == nil && (o.CallbackPort < 1 || o.CallbackPort > 65535) {
				err = &Error{where, fmt.Sprintf("%d is out of range: want 1..65535", o.CallbackPort)}
			}
		default:
			if !slices.Contains(foreignOAuthKeys, m.key) {
				return nil, &Error{where, "is unknown" + didYouMean(m.key, oauthKeys)}
			}
			f.note("%s belongs to another client and was ignored", where)
		}
		if err != nil {
			return nil, err
		}
	}
	if o.Grant == "" {
		o.Grant = CodeGrant
		if o.ClientSecret != "" {
			o.Grant = CredentialsGrant
		}
	}
	switch {
	case o.ClientSecret != "" && o.ClientID == "":
		return nil, &Error{at, "has a clientSecret and no clientId"}
	case o.Grant == CredentialsGrant && o.ClientSecret == "":
		return nil, &Error{at, "the grant client_credentials needs a clientId and a clientSecret"}
	}
	return o, nil
}
