package httpd

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"codemode-mcp/internal/config"
)

// Listen opens the listeners of an address: HOST:PORT, unix:PATH, or systemd for
// the sockets that the service manager passed.
func Listen(addr string) ([]net.Listener, error) {
	if addr == config.SystemdAddr {
		return passed()
	}
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		l, err := listenUnix(path)
		return []net.Listener{l}, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	return []net.Listener{l}, nil
}

// listenUnix takes the place of a socket that nobody serves any more. Anything
// else of that name stays.
func listenUnix(path string) (net.Listener, error) {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode()&os.ModeSocket == 0 {
			return nil, fmt.Errorf("%s is there and is no socket", path)
		}
		if c, err := net.Dial("unix", path); err == nil {
			c.Close()
			return nil, fmt.Errorf("%s is served by another program", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	old := syscall.Umask(0o117) // 0660: the group is the proxy's
	l, err := net.Listen("unix", path)
	syscall.Umask(old)
	return l, err
}

// firstPassed is the first descriptor that a service manager passes
// (sd_listen_fds).
const firstPassed = 3

// passed takes the sockets of the service manager. The variables are dropped:
// they are not for our children.
func passed() ([]net.Listener, error) {
	pid, count := os.Getenv("LISTEN_PID"), os.Getenv("LISTEN_FDS")
	for _, name := range []string{"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"} {
		os.Unsetenv(name)
	}
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 || n > 64 {
		return nil, errors.New("no sockets were passed: start this by a systemd .socket unit, or name an address")
	}
	if pid != strconv.Itoa(os.Getpid()) {
		return nil, errors.New("the sockets that were passed are for another process")
	}
	var out []net.Listener
	for fd := firstPassed; fd < firstPassed+n; fd++ {
		syscall.CloseOnExec(fd)
		f := os.NewFile(uintptr(fd), "socket")
		l, err := net.FileListener(f)
		f.Close() // the listener has its own
		if err != nil {
			return nil, fmt.Errorf("take socket %d of the service manager: %w", fd, err)
		}
		out = append(out, l)
	}
	return out, nil
}

// places bound the connections that are open on all listeners together, and of one
// address to a quarter of them.
type places struct {
	max, maxOne int
	proxies     []netip.Prefix

	mu    sync.Mutex
	all   int                // guarded by mu
	byOne map[netip.Addr]int // guarded by mu
}

func newPlaces(limit int, proxies []netip.Prefix) *places {
	return &places{max: limit, maxOne: max(1, limit/4), proxies: proxies, byOne: map[netip.Addr]int{}}
}

// limited is a listener whose connections need a place. One too many is closed at
// once: one in the kernel's queue would only hide that nobody serves it.
type limited struct {
	net.Listener
	*places
}

func (l *limited) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		var from netip.Addr // stays invalid for what is not counted by address
		if a, ok := c.RemoteAddr().(*net.TCPAddr); ok {
			from = a.AddrPort().Addr().Unmap()
			if from.IsLoopback() || slices.ContainsFunc(l.proxies, func(p netip.Prefix) bool { return p.Contains(from) }) {
				from = netip.Addr{}
			}
		}
		if l.take(from) {
			return &counted{Conn: c, left: sync.OnceFunc(func() { l.leave(from) })}, nil
		}
		c.Close()
	}
}

func (l *places) take(from netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= l.max || from.IsValid() && l.byOne[from] >= l.maxOne {
		return false
	}
	l.all++
	if from.IsValid() {
		l.byOne[from]++
	}
	return true
}

func (l *places) leave(from netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if !from.IsValid() {
		return
	}
	if l.byOne[from]--; l.byOne[from] <= 0 {
		delete(l.byOne, from)
	}
}

// counted is a connection that gives its place back when it is closed.
type counted struct {
	net.Conn
	left func()
}

func (c *counted) Close() error {
	defer c.left()
	return c.Conn.Close()
}
