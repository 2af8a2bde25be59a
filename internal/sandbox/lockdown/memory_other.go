//go:build !linux

package lockdown

// Memory is a limit that this platform does not have.
type Memory struct{}

// Begin does nothing here.
func (*Memory) Begin() error { return nil }

// End does nothing here.
func (*Memory) End() error { return nil }

// Worn is not known here.
func (*Memory) Worn() bool { return false }
