package worker

import (
	"io"
	"testing"
	"time"

	"codemode-mcp/internal/sandbox/wire"
)

// A script that only sleeps hears that it is to stop.
func TestSleepIsStopped(t *testing.T) {
	w := newWorker(nil, 8)
	control, host := io.Pipe()
	go w.watchControl(control) // the end of the pipe would end the process: it stays open
	woken := make(chan struct{})
	go func() {
		w.sleep(time.Now().Add(time.Hour))
		close(woken)
	}()
	if _, err := host.Write([]byte{wire.Terminate}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-woken:
	case <-time.After(30 * time.Second):
		t.Fatal("it sleeps on")
	}
}
