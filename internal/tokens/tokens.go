// Package tokens keeps what logins to upstream servers gave, in one file that only
// the user can read.
//
// It owns that file: its place, its mode, its lock between processes, and that it
// is never half-written. It knows no protocol: what a token is good for is
// upstream's affair. It must import no other package of this module.
package tokens

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Entry is one login.
type Entry struct {
	// URL is the server's, for people who look into the file.
	URL string `json:"url"`
	// ClientID and ClientSecret are what we are called by the authorization server.
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret,omitempty"`
	// TokenURL and AuthStyle say where and how a token is renewed.
	TokenURL  string `json:"tokenUrl"`
	AuthStyle int    `json:"authStyle,omitempty"`
	// Resource is what the token was asked for.
	Resource string `json:"resource,omitempty"`
	// Scopes were granted; Wanted are those that the server has asked for since.
	Scopes []string `json:"scopes,omitempty"`
	Wanted []string `json:"wanted,omitempty"`

	Access  string    `json:"access"`
	Refresh string    `json:"refresh,omitempty"`
	Expiry  time.Time `json:"expiry,omitzero"`
}

// leeway is how long before its end a token is taken for ended: it still has to
// travel.
const leeway = 20 * time.Second

// Valid reports whether the access token can be used.
func (e *Entry) Valid() bool {
	return e.Access != "" && (e.Expiry.IsZero() || time.Now().Add(leeway).Before(e.Expiry))
}

// Key is where the login of one entry of the configuration is kept. An entry that
// changed has none: its token must not go to another address.
func Key(url, digest string) string {
	sum := sha256.Sum256([]byte(url + "\x00" + digest))
	return hex.EncodeToString(sum[:16])
}

const (
	fileName = "tokens.json"
	lockName = "tokens.lock"
	tempName = "tokens.json.new" // fixed, so that it can be kept from tools
	maxFile  = 4 << 20
)

// Store is the file. The zero Store and one without a folder keep nothing.
type Store struct{ dir string }

// New gives the store in a folder. Nothing is read or made yet.
func New(dir string) *Store { return &Store{dir: dir} }

// Files are the paths that no tool may read.
func (s *Store) Files() []string {
	if s.dir == "" {
		return nil
	}
	return []string{filepath.Join(s.dir, fileName), filepath.Join(s.dir, tempName)}
}

// Get gives one login. ok is false when there is none.
func (s *Store) Get(key string) (e Entry, ok bool, err error) {
	if s.dir == "" {
		return e, false, nil
	}
	all, err := s.read()
	e, ok = all[key]
	return e, ok, err
}

// Stamp changes when the file may have.
func (s *Store) Stamp() string {
	info, err := os.Stat(filepath.Join(s.dir, fileName))
	if s.dir == "" || err != nil {
		return ""
	}
	return fmt.Sprint(info.ModTime().UnixNano(), info.Size())
}

// ErrNowhere says that there is no folder for tokens.
var ErrNowhere = errors.New("there is no folder to keep logins in: set CODE_MODE_TOKEN_DIR")

// Hold lets one renewal of a login go on at a time, over all processes: what a refresh
// gives is valid only once. Other logins, and [Store.Update], don't wait for it.
func (s *Store) Hold(ctx context.Context, key string) (release func(), err error) {
	if err := s.makeDir(); err != nil {
		return nil, err
	}
	return s.lock(ctx, key+".lock")
}

// Update changes one login while no other process can. It must be brief: all logins
// wait for it. change is given what is there, or nil, and gives what shall be
// there, or nil. An error of it changes nothing.
func (s *Store) Update(ctx context.Context, key string, change func(*Entry) (*Entry, error)) error {
	if err := s.makeDir(); err != nil {
		return err
	}
	unlock, err := s.lock(ctx, lockName)
	if err != nil {
		return err
	}
	defer unlock()
	all, err := s.read()
	if err != nil {
		return err
	}
	var old *Entry
	if e, ok := all[key]; ok {
		old = &e
	}
	next, err := change(old)
	if err != nil {
		return err
	}
	if next == nil {
		if old == nil {
			return nil
		}
		delete(all, key)
	} else {
		all[key] = *next
	}
	return s.write(all)
}

// lockPoll is how often a lock that another process holds is tried again.
const lockPoll = 20 * time.Millisecond

// makeDir makes the folder, for the user alone.
func (s *Store) makeDir() error {
	if s.dir == "" {
		return ErrNowhere
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of logins: %w", err)
	}
	if err := os.Chmod(s.dir, 0o700); err != nil { // it may be older than we are
		return fmt.Errorf("make the folder of logins private: %w", err)
	}
	return nil
}

func (s *Store) lock(ctx context.Context, name string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the logins: %w", err)
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil // closing unlocks
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			f.Close()
			return nil, fmt.Errorf("lock the logins: %w", err)
		}
		select {
		case <-time.After(lockPoll):
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("lock the logins: %w", ctx.Err())
		}
	}
}

func (s *Store) read() (map[string]Entry, error) {
	all := map[string]Entry{}
	path := filepath.Join(s.dir, fileName)
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the logins: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read the logins: %w", err)
	}
	if len(text) > maxFile || json.Unmarshal(text, &all) != nil || all == nil {
		return nil, fmt.Errorf("the file of logins %s is damaged: delete it and log in again", path) // nothing of it is quoted
	}
	return all, nil
}

// write replaces the file as a whole.
func (s *Store) write(all map[string]Entry) error {
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the logins: %w", err)
	}
	temp := filepath.Join(s.dir, tempName)
	_ = os.Remove(temp) // of a process that was killed; we hold the lock
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write the logins: %w", err)
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(temp, filepath.Join(s.dir, fileName))
	}
	if err != nil {
		_ = os.Remove(temp) // it holds secrets, and is of no use
		return fmt.Errorf("write the logins: %w", err)
	}
	return nil
}
