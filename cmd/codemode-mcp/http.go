package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"go.uber.org/zap"

	"codemode-mcp/internal/config"
	"codemode-mcp/internal/httpd"
	"codemode-mcp/internal/server"
)

// serveHTTP serves the endpoint until a signal ends it: the first lets requests
// under way finish, the second cuts them, a third ends the program at once. SIGHUP
// reads the configuration again.
func serveHTTP(a *app, opts server.Options, log *slog.Logger) error {
	cfg := a.config.HTTP
	listeners, err := httpd.Listen(cfg.Addr)
	if err != nil {
		return &exitError{exitFailed, fmt.Errorf("listen on %s: %w", cfg.Addr, err)}
	}
	defer func() {
		for _, l := range listeners {
			l.Close() // most are closed by then
		}
	}()
	if err := a.mayListen(listeners); err != nil {
		return err
	}
	certs, err := a.certificates()
	if err != nil {
		return &exitError{exitFailed, err}
	}
	serving, cut, stop := stages()
	defer stop()

	opts.Handles = true
	if a.metrics != nil {
		opts.Ran = a.metrics.Run
	}
	srv := server.New(opts)
	a.server = srv
	mcp := srv.HTTPHandler(server.HTTPOptions{
		MaxSessions: cfg.MaxSessions, MaxSessionsPerPrincipal: cfg.MaxSessionsPerPrincipal,
		SessionTimeout: cfg.SessionTimeout, MaxBody: int64(cfg.MaxBodyKB) << 10,
	})
	who := newDoor(a.config, func(event string, err error) { a.log.Warn(event, zap.Error(err)) })
	defer func() { who.Load().Close() }()
	endpoint := httpd.New(httpd.Options{
		MCP: mcp, Config: cfg, Auth: who,
		Ready: a.ready, Observe: a.observe(), Log: log,
	})
	a.reloaded = func(now *config.Config) (waiting []string) {
		if certs != nil {
			certs.Reload()
		}
		waiting = who.take(now)
		endpoint.Review()
		return waiting
	}
	unmeasure, err := a.serveOperator(endpoint, mcp)
	if err != nil {
		return err
	}
	defer unmeasure()
	a.openServers()
	defer a.onHangup()()
	unwatch, err := a.watchIfAsked()
	if err != nil {
		return err
	}
	defer unwatch()
	for _, l := range listeners {
		a.log.Info("serving over HTTP", zap.String("version", version()), zap.Stringer("address", l.Addr()),
			zap.Bool("tls", certs != nil), zap.Bool("authentication", a.config.Auth.Some()), zap.String("workspace", a.config.Workspace))
	}
	defer context.AfterFunc(endpoint.Cut(), srv.Stop)()
	err = endpoint.Serve(serving, cut, listeners, certs)
	mcp.Close()
	if err != nil {
		return &exitError{exitFailed, fmt.Errorf("serve: %w", err)}
	}
	return nil
}

// mayListen refuses addresses that others reach while nobody is asked who they are.
func (a *app) mayListen(listeners []net.Listener) error {
	if a.config.Auth.Some() || a.config.HTTP.InsecureNoAuth {
		return nil
	}
	for _, l := range listeners {
		if httpd.NeedsAuth(l) {
			return fmt.Errorf("%s can be reached from other machines, and nobody would be asked who they are: "+
				"add tokens to the config file (codemode-mcp token new --role viewer), or listen on 127.0.0.1, or say --insecure-no-auth", shownAddr(l.Addr().String(), a.config.HTTP.Addr))
		}
	}
	return nil
}

func (a *app) certificates() (*httpd.Certificates, error) {
	if a.config.HTTP.Cert == "" {
		return nil, nil
	}
	c, err := httpd.LoadCertificates(a.config.HTTP.Cert, a.config.HTTP.Key, func(event string, err error) { a.log.Warn(event, zap.Error(err)) })
	if err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	return c, nil
}

// ready says whether requests can be served: a worker has come up, and how the
// servers are. One that is down does not make us unready: its tools say so.
func (a *app) ready() (bool, map[string]string) {
	detail := map[string]string{}
	ok := true
	if a.config.Limits.Enabled {
		stats := a.pool.Stats()
		detail["workers"] = fmt.Sprintf("%d ready, %d runs under way, %d waiting", stats.Ready, stats.Running, stats.Waiting)
		ok = stats.Ready+stats.Running > 0
	}
	if a.servers != nil {
		for _, s := range a.servers.Status() {
			detail["server "+s.Name] = s.State
		}
	}
	return ok, detail
}

// stages turns signals into the two stages of an end.
func stages() (serving, cut context.Context, stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	serving, end := context.WithCancel(context.Background())
	cut, now := context.WithCancel(context.Background())
	quit := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, next := range []func(){end, func() {
			signal.Reset(os.Interrupt, syscall.SIGTERM) // so that the third ends the program
			now()
		}} {
			select {
			case <-signals:
				next()
			case <-quit:
				return
			}
		}
	}()
	return serving, cut, func() {
		signal.Stop(signals)
		close(quit)
		<-done
		end()
		now()
	}
}

// onHangup reads the configuration again at every SIGHUP, as long as it is not
// stopped.
func (a *app) onHangup() (stop func()) {
	signal.Reset(syscall.SIGHUP) // it ends the program elsewhere
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-signals:
				_ = a.reload() // it logs what is wrong, and the old one stays
			case <-quit:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(quit)
		<-done
	}
}

// shownAddr is the address as the operator wrote it: Go names 0.0.0.0 as [::].
func shownAddr(listens, asked string) string {
	if _, _, err := net.SplitHostPort(asked); err == nil && strings.HasPrefix(listens, "[::]:") {
		return asked
	}
	return listens
}
