package worker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// An image is what all workers of a server need and only one has to make: V8's
// snapshot of the prelude. It is made before the first script, kept by the host in a
// sealed memory file, and mapped by every later worker, which then starts with nothing
// left to rehearse. The code caches of the parts are not in it: they would make the
// first answer of a server wait for 17 ms.
//
// A file of it begins with imageMagic, padded to imageAlign; the rest is V8's.
type image struct {
	snapshot []byte
}

const (
	imageMagic = "codemode image 2"
	imageAlign = 64
)

// loadImage takes the image from the host's file, or makes one, and leaves it there
// when the host has none yet. No isolate may be alive.
func (w *worker) loadImage(file *os.File) error {
	if !w.snapshots {
		return w.fillCache()
	}
	if file != nil {
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			return fmt.Errorf("read image: %w", err)
		}
		if info.Size() > 0 {
			return w.mapImage(file, int(info.Size()))
		}
	}
	img, err := w.makeImage()
	if err != nil || file == nil {
		return err
	}
	return img.write(file)
}

func (w *worker) mapImage(file *os.File, size int) error {
	data, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return fmt.Errorf("map image: %w", err)
	}
	img, err := readImage(data)
	if err != nil {
		return err
	}
	useSnapshot(img.snapshot)
	w.prelude.made = true
	return nil
}

// makeImage rehearses for a code cache of the prelude, and has V8 make a snapshot with
// it. A code cache fits only isolates of the snapshot that it was made under.
func (w *worker) makeImage() (*image, error) {
	if err := w.fillCache(); err != nil {
		return nil, err
	}
	made, err := makeSnapshot(preludeSource(), preludeOrigin, w.prelude.cache.Bytes)
	if err != nil {
		return nil, err
	}
	// V8 reads it as long as there are isolates: not on Go's heap, which may move.
	data, err := unix.Mmap(-1, 0, len(made), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("keep snapshot: %w", err)
	}
	copy(data, made)
	if err := unix.Mprotect(data, unix.PROT_READ); err != nil {
		return nil, fmt.Errorf("keep snapshot: %w", err)
	}
	useSnapshot(data)
	w.prelude.made = true
	return &image{snapshot: data}, nil
}

// write leaves the image in a memory file, which nobody can change afterwards.
func (i *image) write(file *os.File) error {
	out := append(make([]byte, 0, imageAlign+len(i.snapshot)), imageMagic...)
	out = append(out[:imageAlign], i.snapshot...)
	if _, err := io.Copy(file, bytes.NewReader(out)); err != nil {
		return fmt.Errorf("write image: %w", err)
	}
	return sealImage(file)
}

func readImage(data []byte) (*image, error) {
	if !bytes.HasPrefix(data, []byte(imageMagic)) || len(data) <= imageAlign {
		return nil, errors.New("read image: it is of another build")
	}
	return &image{snapshot: data[imageAlign:]}, nil
}
