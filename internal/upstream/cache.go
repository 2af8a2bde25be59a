package upstream

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// cacheVersion changes when older files can't be read any more.
const cacheVersion = 1

// cached is the last catalog of one entry, as it is kept on disk.
type cached struct {
	Version  int               `json:"version"`
	Protocol string            `json:"protocol"`
	Tools    []json.RawMessage `json:"tools"`
}

func (p *peer) cacheFile() string {
	if p.m.opts.CacheDir == "" {
		return ""
	}
	return filepath.Join(p.m.opts.CacheDir, p.cfg.Digest+".json")
}

// loadCache offers what the server offered in an earlier run, until it is up. A
// file that can't be read is as good as none.
func (p *peer) loadCache() {
	path := p.cacheFile()
	if path == "" || p.rules.Load().Disabled {
		return
	}
	text, err := os.ReadFile(path)
	var c cached
	if err != nil || len(text) > 2*maxListBytes || json.Unmarshal(text, &c) != nil || c.Version != cacheVersion {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	tools, _ := p.convert(c.Tools, true)
	p.raw, p.tools, p.legacy = c.Tools, tools, c.Protocol != "" && c.Protocol < modernRevision
}

// maxCacheAge is how long a catalog that nothing refreshes is kept.
const maxCacheAge = 90 * 24 * time.Hour

// pruneCache removes what entries left behind that are no longer configured
// anywhere.
func (m *Manager) pruneCache() {
	if m.opts.CacheDir == "" {
		return
	}
	files, err := filepath.Glob(filepath.Join(m.opts.CacheDir, "*.json"))
	if err != nil {
		return
	}
	for _, f := range files {
		if info, err := os.Stat(f); err == nil && time.Since(info.ModTime()) > maxCacheAge {
			_ = os.Remove(f) // the next start tries again
		}
	}
}

// saveCache keeps the catalog for the next run. What it can't write it does
// without.
func (p *peer) saveCache() {
	path := p.cacheFile()
	if path == "" || p.mine != nil { // what one principal sees is not for others
		return
	}
	p.mu.Lock()
	c := cached{Version: cacheVersion, Protocol: p.protocol, Tools: p.raw}
	p.mu.Unlock()
	if err := writeCache(path, c); err != nil {
		p.m.opts.Log(p.cfg.Name, "can't keep its catalog: "+err.Error(), true)
	}
}

func writeCache(path string, c cached) error {
	text, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("encode catalog: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if old, err := os.ReadFile(path); err == nil && string(old) == string(text) {
		return os.Chtimes(path, time.Time{}, time.Now())
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".catalog-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is useless, and nothing more can be done
	}
	return err
}
