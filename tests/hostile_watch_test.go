package tests

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// samplePause is how often the memory of the processes is read.
const samplePause = 10 * time.Millisecond

// memoryWatch samples the resident memory of a server and its workers.
type memoryWatch struct {
	pid  int
	quit chan struct{}
	wg   sync.WaitGroup

	mu             sync.Mutex
	worker, server int // guarded by mu: peaks in MB
}

func watchMemory(pid int) *memoryWatch {
	w := &memoryWatch{pid: pid, quit: make(chan struct{})}
	w.wg.Add(1)
	go func() {
		defer w.wg.Done()
		for {
			w.sample()
			select {
			case <-w.quit:
				return
			case <-time.After(samplePause):
			}
		}
	}()
	return w
}

func (w *memoryWatch) sample() {
	worker := 0
	for _, pid := range workersOf(w.pid) {
		worker = max(worker, residentMB(pid))
	}
	server := residentMB(w.pid)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.worker, w.server = max(w.worker, worker), max(w.server, server)
}

// reset forgets the peaks so far.
func (w *memoryWatch) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.worker, w.server = 0, 0
}

func (w *memoryWatch) peak() (worker, server int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.worker, w.server
}

func (w *memoryWatch) stop() {
	close(w.quit)
	w.wg.Wait()
}

// workersOf lists the live children of a process. What ends meanwhile is left
// out.
func workersOf(pid int) []int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	var out []int
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		// The command's name stands in parentheses and may hold anything.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if parent, _ := strconv.Atoi(fields[1]); parent == pid && fields[0] != "Z" {
			child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			out = append(out, child)
		}
	}
	return out
}

// residentMB is 0 for a process that has ended.
func residentMB(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize() >> 20
}
