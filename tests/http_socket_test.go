package tests

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// certificate writes a certificate of this machine and its key.
func certificate(t *testing.T, dir string, serial int64) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, k.Public(), k)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// HTTPS works, with HTTP/2 as well, and a renewed certificate needs no restart.
func TestHTTPS(t *testing.T) {
	dir := t.TempDir()
	cert, key := certificate(t, dir, 1)
	file := filepath.Join(dir, "c.json")
	if err := os.WriteFile(file, []byte(`{}`), 0o600); err != nil {
		t.Fatal(err)
	}
	e := startHTTP(t, "", "--tls-cert", cert, "--tls-key", key, "--config", file)
	e.url = strings.Replace(e.url, "http:", "https:", 1)
	var serial int64
	insecure := &tls.Config{InsecureSkipVerify: true, VerifyConnection: func(s tls.ConnectionState) error {
		serial = s.PeerCertificates[0].SerialNumber.Int64()
		return nil
	}}
	for _, h2 := range []bool{false, true} {
		e.http.CloseIdleConnections()
		e.http.Transport = &http.Transport{TLSClientConfig: insecure, ForceAttemptHTTP2: h2}
		for _, era := range []string{legacyEra, modernEra} {
			if env := e.join(era, "").run(`return 1`); string(env.Result) != "1" {
				t.Errorf("HTTP/2 %v, %s: %+v", h2, era, env)
			}
		}
	}
	if serial != 1 {
		t.Errorf("the certificate has the number %d", serial)
	}
	certificate(t, dir, 2)
	e.signal(syscall.SIGHUP) // it is also seen without, after some seconds
	for end := time.Now().Add(patience); serial != 2; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the renewed certificate is not used")
		}
		e.http.CloseIdleConnections()
		e.join(modernEra, "").post("tools/list", `{}`)
	}
	if a := e.must(http.MethodGet, strings.Replace(e.url, "https:", "http:", 1), nil, ""); a.status != http.StatusBadRequest {
		t.Errorf("plain HTTP is served: %d", a.status)
	}
}

// A socket that the service manager opened is taken over.
func TestHTTPActivation(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f, err := l.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l.Close()
	cmd := exec.Command("sh", "-c", `LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" serve --http systemd`, binary)
	cmd.ExtraFiles = []*os.File{f}
	e := runHTTP(t, cmd)
	if want := "http://" + l.Addr().String() + "/mcp"; e.url != want {
		t.Errorf("serves at %s, not at %s", e.url, want)
	}
	if env := e.join(modernEra, "").run(`return 1`); string(env.Result) != "1" {
		t.Errorf("%+v", env)
	}
}
