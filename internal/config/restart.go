package config

import (
	"reflect"
	"slices"
)

// OnlyRestart names the settings outside of limits and servers that differ and
// change with a restart only.
func OnlyRestart(old, now *Config) []string {
	var out []string
	for name, same := range map[string]bool{
		"workspace": old.Workspace == now.Workspace,
		"writable":  old.Writable == now.Writable,
		"logLevel":  old.LogLevel == now.LogLevel,
		"logFormat": old.LogFormat == now.LogFormat,
		"expose":    old.Expose == now.Expose && slices.Equal(old.ResidentTools, now.ResidentTools),
		"aliases":   slices.Equal(old.Aliases, now.Aliases),
		"http":      reflect.DeepEqual(old.HTTP, now.HTTP),
	} {
		if !same {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
