package discover

import (
	"path"

	"codemode-mcp/internal/catalog"
)

// Exposure says which tools a client lists. What is not listed stays callable.
type Exposure struct {
	// Mode is one of Modes.
	Mode string
	// Resident are globs over names such as "github__list_*" or "github.list_*":
	// what fits stays listed under Auto.
	Resident []string
}

// The modes.
const (
	// Auto lists all tools while they are few, and otherwise the code tools and the
	// resident ones.
	Auto = "auto"
	// Code lists execute_script and search_tools only.
	Code = "code"
	// Both lists everything.
	Both = "both"
	// Plain lists the tools without the code tools.
	Plain = "tools"
)

// few is up to how many tools Auto lists all.
const few = 16

// Settle decides what Auto means for a number of tools.
func (e Exposure) Settle(tools int) Exposure {
	if e.Mode == Auto && tools <= few {
		e.Mode = Both
	}
	return e
}

// CodeTools reports whether the code tools are listed.
func (e Exposure) CodeTools() bool { return e.Mode != Plain }

// Lists reports whether a tool is listed.
func (e Exposure) Lists(t *catalog.Tool) bool {
	switch e.Mode {
	case Both, Plain:
		return true
	case Auto:
		return e.resident(t)
	}
	return false
}

func (e Exposure) resident(t *catalog.Tool) bool {
	for _, glob := range e.Resident {
		for _, name := range []string{t.PublicName(), t.Path()} {
			if ok, err := path.Match(glob, name); ok && err == nil { // config refused bad ones
				return true
			}
		}
	}
	return false
}
