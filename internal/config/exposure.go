package config

import (
	"fmt"
	"os"
	"path"
	"strings"
)

const (
	// ExposeVariable says which tools clients list.
	ExposeVariable = "CODE_MODE_EXPOSE"
	// ResidentVariable has globs, separated by commas.
	ResidentVariable = "CODE_MODE_RESIDENT_TOOLS"
)

// Exposures are the ways to list tools, the default one first.
var Exposures = []string{"auto", "code", "both", "tools"}

// readExposure takes the flag before the variable before the file.
func (c *Config) readExposure(flags Flags, f file) (err error) {
	where := source(flags.Expose, "--expose", os.Getenv(ExposeVariable), ExposeVariable, f.path+": expose")
	value := first(flags.Expose, os.Getenv(ExposeVariable), f.Expose, Exposures[0])
	if c.Expose, err = oneOf(where, value, Exposures...); err != nil {
		return err
	}
	c.ResidentTools, where = f.Resident, f.path+": residentTools"
	if text := os.Getenv(ResidentVariable); text != "" {
		c.ResidentTools, where = strings.Split(text, ","), ResidentVariable
	}
	for i, glob := range c.ResidentTools {
		c.ResidentTools[i] = strings.TrimSpace(glob)
		if _, err := path.Match(c.ResidentTools[i], ""); err != nil || c.ResidentTools[i] == "" {
			return &Error{where, fmt.Sprintf("%q is no glob: write names such as github__list_*", glob)}
		}
	}
	return nil
}
