//go:build nginx

package tests

import (
	"bytes"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// This test needs nginx: make test-nginx.

// A script of 90 s comes through nginx with its defaults, whole: with progress and
// without, in both eras. They give up after 60 s of silence and keep answers back.
func TestNginx(t *testing.T) {
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		nginx = "/usr/sbin/nginx" // not in the path of every user
	}
	t.Setenv("CODE_MODE_TIMEOUT_SECONDS", "150")
	e := startHTTP(t, "")
	direct, err := url.Parse(e.url)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	proxy := l.Addr().String()
	l.Close()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	config := fmt.Sprintf(`daemon off; pid %[1]s/pid; error_log stderr warn; worker_processes 1;
events {}
http {
  access_log off;
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/f; uwsgi_temp_path %[1]s/u; scgi_temp_path %[1]s/s;
  server { listen %[2]s; location / { proxy_pass http://%[3]s; } }
}
`, dir, proxy, direct.Host)
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(nginx, "-e", "stderr", "-p", dir, "-c", file)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait() // its exit code says only that it was interrupted
		if t.Failed() {
			t.Log(said.String())
		}
	}()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", proxy); err == nil {
			c.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatal("nginx does not serve")
		}
	}
	e.url = "http://" + proxy + "/mcp"
	const quiet = `{"name":"execute_script","arguments":{"script":"await sleep(90000); return 'whole'"}}`
	const told = `{"name":"execute_script","arguments":{"script":"await sleep(90000); return 'whole'"},"_meta":{"progressToken":"p"}}`
	type run struct {
		name     string
		answered chan answer
	}
	var runs []run
	for _, era := range []string{legacyEra, modernEra} {
		for name, params := range map[string]string{"quiet": quiet, "with progress": told} {
			answered, drop := e.join(era, "").start("tools/call", params)
			defer drop()
			runs = append(runs, run{era + ", " + name, answered})
		}
	}
	for _, r := range runs {
		a := <-r.answered
		env, err := a.envelope()
		if err != nil || string(env.Result) != `"whole"` {
			t.Errorf("%s: %v: %d %.500s", r.name, err, a.status, a.body)
		}
		if n := strings.Count(a.body, "notifications/progress"); strings.Contains(r.name, "progress") && n < 10 {
			t.Errorf("%s: %d progress notifications came", r.name, n)
		}
	}
}
