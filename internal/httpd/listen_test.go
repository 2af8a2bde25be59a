package httpd

import (
	"net"
	"testing"
)

// The bound of connections is that of all listeners together.
func TestPlacesOfAllListeners(t *testing.T) {
	open := newPlaces(1, nil)
	var addrs []string
	accepted := make(chan net.Conn)
	for range 2 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		addrs = append(addrs, l.Addr().String())
		go func() {
			for {
				c, err := (&limited{l, open}).Accept()
				if err != nil {
					return
				}
				accepted <- c
			}
		}()
	}
	dial := func(addr string) net.Conn {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	dial(addrs[0])
	first := <-accepted
	if _, err := dial(addrs[1]).Read(make([]byte, 1)); err == nil { // it is closed at once
		t.Error("the second listener has places of its own")
	}
	first.Close()
	dial(addrs[1])
	(<-accepted).Close()
}
