// Package policy answers one question: may this principal use a tool?
//
// It owns principals, roles and their order. Its functions are pure: they read
// no clock, no file and no environment, and it must import no other package of
// this module.
package policy

import (
	"fmt"
	"strings"
)

// Role says how far a principal may reach. A role may do all that the roles
// below it may do.
type Role int

// The roles, lowest first.
const (
	// Viewer may call what only reads.
	Viewer Role = iota
	// Editor may also call what creates and changes.
	Editor
	// Admin may also call what destroys.
	Admin
)

var roleNames = [...]string{"viewer", "editor", "admin"}

// String gives the name that [ParseRole] takes.
func (r Role) String() string {
	if r < Viewer || r > Admin {
		return fmt.Sprintf("role(%d)", int(r))
	}
	return roleNames[r]
}

// ParseRole reads a role's name. The error names the valid ones.
func ParseRole(name string) (Role, error) {
	for i, n := range roleNames {
		if n == name {
			return Role(i), nil
		}
	}
	return Viewer, fmt.Errorf("role %q is unknown: want one of %s", name, strings.Join(roleNames[:], ", "))
}

// Principal is who makes a call: the local user on stdio, a token's owner on HTTP.
type Principal struct {
	// ID tells principals apart. Two equal IDs share workers, state and results.
	ID string
	// Role is the principal's reach.
	Role Role
}

// May reports whether the principal may use what needs at least the given role.
func (p Principal) May(least Role) bool { return p.Role >= least }
