package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	v8 "github.com/tommie/v8go"
)

// An image is what all workers of a server need and only one has to make: V8's
// snapshot of the prelude, and the code cache of the part that reads a script's
// form. It is made before the first script, kept by the host in a sealed memory file,
// and mapped by every later worker, which then starts with nothing left to rehearse.
//
// A file of it begins with imageMagic and the sizes of both (uint32, little endian);
// each begins at a multiple of imageAlign.
type image struct {
	snapshot []byte
	outline  []byte
}

const (
	imageMagic = "codemode image 1"
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
	w.parts[outlinePart].cache = &v8.CompilerCachedData{Bytes: img.outline}
	return nil
}

// makeImage rehearses for a code cache of the prelude, has V8 make a snapshot with
// it, and rehearses the parts in an isolate of the snapshot: a code cache fits only
// isolates of the snapshot that it was made under.
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
	w.parts = newParts()
	r, err := w.newRunner()
	if err != nil {
		return nil, err
	}
	defer r.close()
	defer w.current.clear()
	if err := r.rehearseParts(); err != nil {
		return nil, fmt.Errorf("rehearse parts: %w", err)
	}
	return &image{snapshot: data, outline: w.parts[outlinePart].cache.Bytes}, nil
}

// write leaves the image in a memory file, which nobody can change afterwards.
func (i *image) write(file *os.File) error {
	out := []byte(imageMagic)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(i.snapshot)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(i.outline)))
	for _, part := range [][]byte{i.snapshot, i.outline} {
		out = append(aligned(out), part...)
	}
	if _, err := io.Copy(file, bytes.NewReader(out)); err != nil {
		return fmt.Errorf("write image: %w", err)
	}
	return sealImage(file)
}

func readImage(data []byte) (*image, error) {
	rest, ok := bytes.CutPrefix(data, []byte(imageMagic))
	if !ok || len(rest) < 8 {
		return nil, errors.New("read image: it is of another build")
	}
	first := int(binary.LittleEndian.Uint32(rest))
	second := int(binary.LittleEndian.Uint32(rest[4:]))
	begin := imageAlign
	next := (begin + first + imageAlign - 1) / imageAlign * imageAlign
	if first == 0 || second == 0 || next+second != len(data) {
		return nil, errors.New("read image: its sizes don't fit")
	}
	return &image{snapshot: data[begin : begin+first], outline: data[next : next+second]}, nil
}

func aligned(b []byte) []byte {
	return append(b, make([]byte, (imageAlign-len(b)%imageAlign)%imageAlign)...)
}
