package httpd

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answerOf lets a handler write through a stream that comments when it is told to.
func answerOf(t *testing.T, handler func(w http.ResponseWriter)) (*http.Response, string) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s := newStream(w, json.RawMessage("7"))
		s.wait = 0 // any silence is long enough
		defer s.finish()
		handler(s)
	}))
	defer srv.Close()
	res, err := srv.Client().Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var b strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := res.Body.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return res, b.String()
		}
	}
}

func TestStreamComments(t *testing.T) {
	t.Run("before the first byte", func(t *testing.T) {
		res, body := answerOf(t, func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.(*stream).comment()
			fmt.Fprint(w, "event: message\ndata: {}\n\n")
		})
		if res.StatusCode != 200 || res.Header.Get("X-Accel-Buffering") != "no" || res.Header.Get("Content-Type") != "text/event-stream" ||
			!strings.HasPrefix(body, ":\n\n") || !strings.HasSuffix(body, "data: {}\n\n") {
			t.Errorf("%d %v %q", res.StatusCode, res.Header, body)
		}
	})
	t.Run("an error after a comment is a message", func(t *testing.T) {
		res, body := answerOf(t, func(w http.ResponseWriter) {
			w.(*stream).comment()
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":1}`+"\n")
		})
		if res.StatusCode != 200 || !strings.HasSuffix(body, "event: message\ndata: {\"error\":1}\n\n") {
			t.Errorf("%d %q", res.StatusCode, body)
		}
	})
	t.Run("a plain error after a comment is a message", func(t *testing.T) {
		_, body := answerOf(t, func(w http.ResponseWriter) {
			w.(*stream).comment()
			http.Error(w, "gone", http.StatusNotFound)
		})
		if !strings.HasSuffix(body, "data: "+`{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"gone"}}`+"\n\n") {
			t.Errorf("%q", body)
		}
	})
	t.Run("none within JSON", func(t *testing.T) {
		_, body := answerOf(t, func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"a":`)
			w.(*stream).comment()
			fmt.Fprint(w, `1}`)
		})
		if body != `{"a":1}` {
			t.Errorf("%q", body)
		}
	})
}

// The ticker comments on a silence that is long enough, and on no shorter one.
func TestStreamKeepAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := httptest.NewRecorder()
		s := newStream(rec, nil)
		s.keepAlive()
		written := func(after time.Duration) string {
			time.Sleep(after)
			synctest.Wait()
			s.mu.Lock()
			defer s.mu.Unlock()
			return rec.Body.String()
		}
		if got := written(idleAfter - time.Second); got != "" {
			t.Errorf("too early: %q", got)
		}
		if got := written(idleAfter / 2); got != ":\n\n" {
			t.Errorf("%q", got)
		}
		s.finish()
		if got := written(time.Hour); got != ":\n\n" {
			t.Errorf("after the end: %q", got)
		}
	})
}

func TestStreamErrors(t *testing.T) {
	res, body := answerOf(t, func(w http.ResponseWriter) {
		w.Header().Set("Allow", "POST")
		http.Error(w, "Method Not Allowed", http.StatusMethodNotAllowed)
	})
	if res.StatusCode != 405 || res.Header.Get("Allow") != "POST" || body != `{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"Method Not Allowed"}}` {
		t.Errorf("%d %v %q", res.StatusCode, res.Header, body)
	}
	res, body = answerOf(t, func(w http.ResponseWriter) {
		w.(*stream).crashed()
	})
	if res.StatusCode != 500 || !strings.Contains(body, `"code":-32603`) {
		t.Errorf("a crash: %d %q", res.StatusCode, body)
	}
	res, body = answerOf(t, func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {}\n\n")
		w.(*stream).crashed()
	})
	if res.StatusCode != 200 || !strings.Contains(body, `"code":-32603`) {
		t.Errorf("a crash in a stream: %d %q", res.StatusCode, body)
	}
	res, _ = answerOf(t, func(w http.ResponseWriter) { w.WriteHeader(http.StatusAccepted) })
	if res.StatusCode != 202 {
		t.Errorf("no body: %d", res.StatusCode)
	}
}
