//go:build !linux && !darwin

package lockdown

// Apply has no layer to offer on this platform: the process boundary is all.
func Apply(Options) (Report, *Memory, error) {
	return Report{Missing: []string{LayerSeccomp + ": unsupported", LayerRlimits + ": unsupported"}}, &Memory{}, nil
}
