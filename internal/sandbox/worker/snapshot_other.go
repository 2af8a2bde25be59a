//go:build !linux

package worker

import (
	"errors"
	"os"
)

// canSnapshot says whether isolates can be made out of a snapshot here: it takes a
// linker that can wrap symbols. Without one, each isolate runs the prelude.
const canSnapshot = false

func makeSnapshot(string, string, []byte) ([]byte, error) {
	return nil, errors.New("make snapshot: unsupported")
}

func useSnapshot([]byte) {}

func useGetrandom() {}

func sealImage(*os.File) error { return errors.New("seal image: unsupported") }
