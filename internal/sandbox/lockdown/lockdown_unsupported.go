//go:build !linux && !darwin

package lockdown

// Apply has no layer to offer on this platform: the process boundary is all.
func Apply(Options) ([]string, *Memory, error) { return nil, &Memory{}, nil }
