//go:build !linux

package sandbox

import (
	"errors"
	"os"
)

func newImageFile() (*os.File, error) { return nil, errors.ErrUnsupported }

func imageSealed(*os.File) bool { return false }
