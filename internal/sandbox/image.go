package sandbox

import (
	"errors"
	"os"
	"sync"
)

// image is the memory file that the first worker leaves for all later ones, before it
// has seen a script: see worker/image.go. The host never reads it.
type image struct {
	mu     sync.Mutex
	file   *os.File      // guarded by mu: nil until a worker has left it
	making chan struct{} // guarded by mu: closed when the worker that makes it is done; nil when none is
	failed int           // guarded by mu: attempts that came to nothing
	closed bool          // guarded by mu
}

// maxImageTries is how many workers are asked for an image. Later ones start without: each
// takes three times as long, and they need not wait for each other.
const maxImageTries = 3

var errNoImage = errors.New("none of the first workers has left one")

// offer gives the file that a new worker gets: the image, or an empty file for the one
// that makes it, or nothing where there is no image; the error says once why not. While
// one makes it the others wait: making it takes three times as long as starting with it.
func (i *image) offer() (file *os.File, maker bool, err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for i.making != nil {
		done := i.making
		i.mu.Unlock()
		<-done
		i.mu.Lock()
	}
	if i.file != nil || i.closed || i.failed >= maxImageTries {
		return i.file, false, nil
	}
	if file, err = newImageFile(); err != nil {
		i.failed = maxImageTries
		return nil, false, err
	}
	i.making = make(chan struct{})
	return file, true, nil
}

// made takes the file from the worker that was to fill it. It is kept if nobody can
// change it any more: the worker is about to meet scripts. Otherwise the next worker is
// asked; the error says that no further one is.
func (i *image) made(file *os.File, ready bool) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	close(i.making)
	i.making = nil
	if !ready || i.closed || !imageSealed(file) {
		file.Close()
		if i.failed++; i.failed == maxImageTries && !i.closed {
			return errNoImage
		}
		return nil
	}
	i.file = file
	return nil
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
