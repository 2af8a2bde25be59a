package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/zap"

	"codemode-mcp/internal/config"
)

// settle is how long a file that changes may change further before it is read: an
// editor writes in several steps.
const settle = 150 * time.Millisecond

// watch reloads the configuration whenever its file changes, until stop is called.
//
// Editors write a new file and rename it over the old one, which ends a watch on
// the file itself: the folders are watched, that of the name and that of the file
// it links to.
func (a *app) watch() (stop func(), err error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	file := a.config.File
	if err := w.Add(filepath.Dir(file)); err != nil {
		w.Close()
		return nil, err
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		a.follow(w, file)
	}()
	a.log.Info("watching the configuration", zap.String("file", file))
	return func() {
		w.Close() // the only error is that it was closed
		wg.Wait()
	}, nil
}

// follow ends when w is closed.
func (a *app) follow(w *fsnotify.Watcher, file string) {
	last, _ := fingerprint(file)
	gone := false // and said so
	target := a.watchTarget(w, file, "")
	due := time.NewTimer(settle)
	due.Stop()
	defer due.Stop()
	pending := false
	for {
		select {
		case _, ok := <-w.Events:
			if !ok {
				return
			}
			if !pending { // not put off by every event: a busy folder has no end of them
				pending = true
				due.Reset(settle)
			}
			continue
		case err, ok := <-w.Errors:
			if !ok {
				return
			}
			a.log.Warn("watching the configuration", zap.Error(err)) // events may be lost: look
			if !pending {
				pending = true
				due.Reset(settle)
			}
			continue
		case <-due.C:
		}
		pending = false
		target = a.watchTarget(w, file, target)
		now, err := fingerprint(file)
		if err != nil {
			if !gone {
				a.log.Warn("the configuration can't be read: the last one stays until it can", zap.Error(err))
			}
			gone = true
			continue
		}
		if now != last || gone {
			last, gone = now, false
			_ = a.reload() // it has logged why not
		}
	}
}

// watchTarget watches the folder that a link leads to, in place of that of before.
func (a *app) watchTarget(w *fsnotify.Watcher, file, before string) string {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return before // between two steps of an editor
	}
	dir, own := filepath.Dir(real), filepath.Dir(file)
	if dir == before || dir == own && before == "" {
		return before
	}
	if before != "" {
		_ = w.Remove(before) // it may be gone
	}
	if dir == own {
		return ""
	}
	if err := w.Add(dir); err != nil {
		a.log.Warn("the folder that the configuration is linked to can't be watched", zap.String("folder", dir), zap.Error(err))
		return ""
	}
	return dir
}

// fingerprint tells contents apart: most events in a folder are about other files.
func fingerprint(file string) (sum [sha256.Size]byte, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return sum, err
	}
	if !info.Mode().IsRegular() {
		return sum, fmt.Errorf("%s is not a file", file)
	}
	f, err := os.Open(file)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, config.MaxFile+1)); err != nil {
		return sum, err
	}
	h.Sum(sum[:0])
	return sum, nil
}
