package main

import (
	"context"
	"fmt"
	"net"

	"go.uber.org/zap"

	"codemode-mcp/internal/httpd"
	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/server"
)

// observe counts requests, when anybody looks at the figures.
func (a *app) observe() func(httpd.Event) {
	if a.metrics == nil {
		return nil
	}
	return func(e httpd.Event) {
		if e.Path == httpd.Path { // other paths are made up by others
			a.metrics.Request(e.Method, e.RPC, e.Status, e.Took)
		}
	}
}

// serveOperator serves the figures and the probes at an address of their own,
// which is not for users.
func (a *app) serveOperator(endpoint *httpd.Server, mcp *server.HTTP) (stop func(), err error) {
	if a.metrics == nil {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", a.config.HTTP.MetricsAddr)
	if err != nil {
		return nil, &exitError{exitFailed, fmt.Errorf("listen for metrics: %w", err)}
	}
	a.measure(mcp)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := httpd.ServeOperator(ctx, l, endpoint.Operator(a.metrics.Handler())); err != nil {
			a.log.Error("metrics are not served any more", zap.Error(err))
		}
	}()
	if httpd.NeedsAuth(l) {
		a.log.Warn("metrics and the names of servers can be read from other machines: nobody is asked who they are at --metrics")
	}
	a.log.Info("serving metrics", zap.Stringer("address", l.Addr()))
	return func() {
		cancel()
		<-done
	}, nil
}

// measure adds the figures that are read when they are asked for.
func (a *app) measure(mcp *server.HTTP) {
	m := a.metrics
	m.Gauge("codemode_sessions", "MCP sessions of the revisions that have them.", func() float64 { return float64(mcp.Sessions()) })
	m.Gauge("codemode_runs_running", "Script runs under way.", func() float64 { return float64(a.pool.Stats().Running) })
	m.Gauge("codemode_runs_waiting", "Script runs that wait for a worker.", func() float64 { return float64(a.pool.Stats().Waiting) })
	m.Gauge("codemode_workers", "Worker processes alive or starting.", func() float64 { return float64(a.pool.Stats().Workers) })
	m.Gauge("codemode_tools", "Tools in the catalog.", func() float64 {
		return float64(len(a.dispatch.Catalog().Visible(policy.Principal{Role: policy.Admin})))
	})
	if a.servers != nil {
		m.Gauges("codemode_server_up", "Whether an upstream server is ready.", "server", func() map[string]float64 {
			up := map[string]float64{}
			for _, s := range a.servers.Status() {
				up[s.Name] = 0
				if s.State == "ready" {
					up[s.Name] = 1
				}
			}
			return up
		})
	}
}
