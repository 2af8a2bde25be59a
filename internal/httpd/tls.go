package httpd

import (
	"crypto/tls"
	"os"
	"sync"
	"time"
)

// lookAgain is how often the files of a certificate are looked at.
const lookAgain = 10 * time.Second

// Certificates is a certificate that is read again when its files change, so that
// a renewed one needs no restart.
type Certificates struct {
	cert, key string
	log       func(string, error)

	mu     sync.Mutex
	now    *tls.Certificate // guarded by mu
	stamp  [2]time.Time     // guarded by mu: of the files when they were read
	looked time.Time        // guarded by mu
}

// LoadCertificates reads the files. log is told when a later reading fails; the
// certificate that is there goes on.
func LoadCertificates(cert, key string, log func(string, error)) (*Certificates, error) {
	c := &Certificates{cert: cert, key: key, log: log}
	c.stamp = c.stamps()
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	c.now, c.looked = &pair, time.Now()
	return c, nil
}

func (c *Certificates) stamps() (out [2]time.Time) {
	for i, name := range []string{c.cert, c.key} {
		if info, err := os.Stat(name); err == nil {
			out[i] = info.ModTime()
		}
	}
	return out
}

// Reload reads the files again at the next connection.
func (c *Certificates) Reload() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looked, c.stamp = time.Time{}, [2]time.Time{}
}

func (c *Certificates) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) < lookAgain {
		return c.now, nil
	}
	c.looked = time.Now()
	stamp := c.stamps()
	if stamp == c.stamp {
		return c.now, nil
	}
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil { // half of it may be written yet: it is tried again
		c.log("the certificate could not be read again", err)
		return c.now, nil
	}
	c.now, c.stamp = &pair, stamp
	return c.now, nil
}

func (c *Certificates) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get, NextProtos: []string{"h2", "http/1.1"}}
}
