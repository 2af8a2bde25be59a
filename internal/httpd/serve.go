package httpd

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	// headerWithin is how long a request's headers may take: what a slow-loris has.
	headerWithin = 10 * time.Second
	// idleWithin is how long a connection may wait for its next request.
	idleWithin = 2 * time.Minute
	// maxHeaders bounds a request's headers, in bytes.
	maxHeaders = 64 << 10
	// cutWithin is how long requests have to answer once they are cut.
	cutWithin = 5 * time.Second
)

// Serve serves on the listeners until ctx ends, and then drains: nothing new is
// taken, streams end, requests under way may finish within the drain limit. When
// that is over, or cut ends, they are cancelled and have a few seconds to say so.
// It returns when all is done, or at the first listener that fails.
//
// There is no WriteTimeout: it would cut long answers. Each write has its own.
func (s *Server) Serve(ctx context.Context, cut context.Context, listeners []net.Listener, certs *Certificates) error {
	srv := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerWithin,
		IdleTimeout:       idleWithin,
		MaxHeaderBytes:    maxHeaders,
		ErrorLog:          slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelDebug), // broken handshakes and the like
	}
	if certs != nil {
		srv.TLSConfig = certs.config()
	}
	failed := make(chan error, len(listeners))
	open := newPlaces(s.opts.Config.MaxConnections, s.names.proxies)
	for _, l := range listeners {
		l = &limited{l, open}
		go func() {
			if certs != nil {
				failed <- srv.ServeTLS(l, "", "")
			} else {
				failed <- srv.Serve(l)
			}
		}()
	}
	var err error
	running := len(listeners)
	select {
	case err = <-failed:
		running--
	case <-ctx.Done():
	}
	s.drain(cut)
	down, cancel := context.WithTimeout(context.Background(), cutWithin)
	defer cancel()
	if srv.Shutdown(down) != nil {
		_ = srv.Close() // what is left is broken anyway
	}
	for ; running > 0; running-- {
		<-failed
	}
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// drain waits for the requests under way, and cancels them when it has waited
// long enough.
func (s *Server) drain(cut context.Context) {
	s.mu.Lock()
	s.draining.Store(true)
	s.mu.Unlock()
	s.endAll()
	done := make(chan struct{})
	go func() {
		s.running.Wait()
		close(done)
	}()
	limit := time.NewTimer(s.opts.Config.Drain)
	defer limit.Stop()
	select {
	case <-done:
		s.cutAll()
		s.overAll()
		return
	case <-limit.C:
		s.opts.Log.Warn("requests are cut: the drain limit is over")
	case <-cut.Done():
		s.opts.Log.Warn("requests are cut")
	}
	s.cutAll()
	end := time.NewTimer(cutWithin)
	defer end.Stop()
	select {
	case <-done:
	case <-end.C:
		s.opts.Log.Error("some requests did not end")
	}
	s.overAll()
}

// Cut is over when requests under way must end. MCP ends their handlers by it, not
// their connections: they are to say that they were cut.
func (s *Server) Cut() context.Context { return s.cut }

// Operator is the handler of the operator's own address: the metrics, and what the
// probes say in full. On the loopback a page whose name was rebound to it gets nothing:
// elsewhere whoever scrapes may call it as they like.
func (s *Server) Operator(metrics http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) { s.serveReady(w, true) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
		if (local == nil || local.IP.IsLoopback()) && !s.names.host(r) {
			http.Error(w, "this host name is not served", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// ServeOperator serves the operator's address until ctx ends.
func ServeOperator(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: headerWithin, ReadTimeout: headerWithin,
		WriteTimeout: writeWithin, IdleTimeout: idleWithin, MaxHeaderBytes: maxHeaders}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		_ = srv.Close() // a scrape under way is no loss
		<-failed
		return nil
	}
}

// NeedsAuth reports whether an address can be reached from elsewhere, so that it
// must not be served without authentication.
func NeedsAuth(l net.Listener) bool {
	a, ok := l.Addr().(*net.TCPAddr)
	return ok && !a.IP.IsLoopback()
}
