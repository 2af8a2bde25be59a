package tokens

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "logins")
	s, ctx := New(dir), context.Background()
	if _, ok, err := s.Get("a"); ok || err != nil {
		t.Fatalf("an empty store gives %v, %v", ok, err)
	}
	before := s.Stamp()
	set := func(key, access string) {
		t.Helper()
		if err := s.Update(ctx, key, func(*Entry) (*Entry, error) { return &Entry{Access: access}, nil }); err != nil {
			t.Fatal(err)
		}
	}
	set("a", "one")
	set("b", "two")
	if s.Stamp() == before {
		t.Error("the stamp is still that of no file")
	}
	if e, ok, err := New(dir).Get("a"); !ok || err != nil || e.Access != "one" {
		t.Errorf("got %+v, %v, %v", e, ok, err)
	}
	failed := errors.New("no")
	if err := s.Update(ctx, "a", func(*Entry) (*Entry, error) { return nil, failed }); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
	if err := s.Update(ctx, "a", func(old *Entry) (*Entry, error) {
		if old == nil || old.Access != "one" {
			t.Errorf("given %+v", old)
		}
		return nil, nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := s.Get("a"); ok {
		t.Error("the login is still there")
	}
	if e, _, _ := s.Get("b"); e.Access != "two" {
		t.Error("the other login is gone")
	}
}

// Nobody else can read it, also where the folder was open before.
func TestModes(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := New(dir)
	if err := s.Update(context.Background(), "k", func(*Entry) (*Entry, error) { return &Entry{}, nil }); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700 | os.ModeDir, s.Files()[0]: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: got %v, want %v", path, info.Mode(), want)
		}
	}
	if _, err := os.Stat(s.Files()[1]); err == nil {
		t.Error("the new file was left behind")
	}
}

// Many writers at once lose nothing: each has a store of its own, as processes do.
func TestParallel(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s := New(dir)
			for range 10 {
				if err := s.Update(context.Background(), "n", func(old *Entry) (*Entry, error) {
					if old == nil {
						old = &Entry{}
					}
					old.Access += "x"
					return old, nil
				}); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	if e, _, _ := New(dir).Get("n"); len(e.Access) != 80 {
		t.Errorf("%d of 80 changes are left", len(e.Access))
	}
}

func TestTrouble(t *testing.T) {
	ctx := context.Background()
	if err := New("").Update(ctx, "k", nil); !errors.Is(err, ErrNowhere) {
		t.Errorf("got %v", err)
	}
	dir := t.TempDir()
	for _, text := range []string{"{", `{"k":{"access":"s3cret"`, "null", "[]", strings.Repeat(" ", maxFile+1)} {
		if err := os.WriteFile(filepath.Join(dir, fileName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := New(dir).Get("k")
		if err == nil || !strings.Contains(err.Error(), "damaged") || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%.20s: got %v", text, err)
		}
	}
	os.Remove(filepath.Join(dir, fileName))
	unlock, err := New(dir).lock(ctx, lockName)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if err := New(dir).Update(short, "k", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a lock that is held gives %v", err)
	}
}

func TestValid(t *testing.T) {
	for _, tt := range []struct {
		e    Entry
		want bool
	}{
		{Entry{}, false},
		{Entry{Access: "a"}, true},
		{Entry{Access: "a", Expiry: time.Now().Add(time.Hour)}, true},
		{Entry{Access: "a", Expiry: time.Now().Add(leeway / 2)}, false},
		{Entry{Access: "a", Expiry: time.Now().Add(-time.Hour)}, false},
	} {
		if got := tt.e.Valid(); got != tt.want {
			t.Errorf("%+v: got %v", tt.e, got)
		}
	}
}

// A login that is being renewed holds up its own renewal elsewhere, as long as that
// cares to wait, and nothing else.
func TestHold(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	release, err := New(dir).Hold(ctx, "slow")
	if err != nil {
		t.Fatal(err)
	}
	other := New(dir) // as another process has it
	for _, key := range []string{"slow", "quick"} {
		if err := other.Update(ctx, key, func(*Entry) (*Entry, error) { return &Entry{Access: "a"}, nil }); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	if release, err := other.Hold(ctx, "quick"); err != nil {
		t.Error(err)
	} else {
		release()
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := other.Hold(gone, "slow"); err == nil {
		t.Error("two hold one login")
	}
	release()
	if release, err := other.Hold(ctx, "slow"); err != nil {
		t.Error(err)
	} else {
		release()
	}
}
