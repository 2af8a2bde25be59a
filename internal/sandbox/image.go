package sandbox

import (
	"os"
	"sync"
)

// image is the memory file that the first worker leaves for all later ones, before it
// has seen a script: see worker/image.go. The host never reads it.
type image struct {
	mu     sync.Mutex
	file   *os.File // guarded by mu: nil until a worker has left it
	making bool     // guarded by mu: a worker that was given an empty file is starting
	closed bool     // guarded by mu
}

// offer gives the file that a new worker gets: the image, an empty file for the one
// that makes it, or nothing while another makes it, and where there is no image. Only
// the maker's file is the worker's own.
func (i *image) offer() (file *os.File, maker bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.file != nil || i.making || i.closed {
		return i.file, false
	}
	file, err := newImageFile()
	if err != nil {
		return nil, false
	}
	i.making = true
	return file, true
}

// made takes the file from the worker that was to fill it. It is kept if nobody can
// change it any more: the worker is about to meet scripts. Otherwise the next worker is asked.
func (i *image) made(file *os.File, ready bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.making = false
	if !ready || i.closed || !imageSealed(file) {
		file.Close()
		return
	}
	i.file = file
}

func (i *image) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	if i.file != nil {
		i.file.Close()
		i.file = nil
	}
}
