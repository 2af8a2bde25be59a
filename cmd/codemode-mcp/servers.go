package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"go.uber.org/zap"

	"codemode-mcp/internal/catalog"
	"codemode-mcp/internal/config"
	"codemode-mcp/internal/policy"
	"codemode-mcp/internal/tokens"
	"codemode-mcp/internal/upstream"
	"codemode-mcp/internal/workspace"
)

// newServers makes the manager of the upstream servers. They start with
// openServers.
func (a *app) newServers() {
	if len(a.config.Servers) == 0 && !a.flags.Watch { // one that is added later says that it waits
		return
	}
	file := a.config.File
	if a.config.HTTP.Addr != "" {
		file = ""
	}
	a.servers = upstream.New(upstream.Options{
		Servers:   a.config.Servers,
		File:      file,
		Version:   version(),
		Env:       config.ChildEnv(),
		CacheDir:  a.config.CacheDir,
		Tokens:    tokens.New(a.config.TokenDir),
		MaxResult: a.config.Limits.MaxToolResultKB << 10,
		Publish:   a.publish,
		Log: func(server, event string, trouble bool) {
			level := zap.InfoLevel
			if trouble && !a.reports {
				level = zap.WarnLevel
			}
			a.log.Log(level, "server "+event, zap.String("server", server))
		},
	})
}

// publish makes a catalog of the workspace's tools and those of all servers.
func (a *app) publish(tools []catalog.Tool) {
	c, err := catalog.New(append(tools, a.builtin...))
	if err != nil { // each server's names were made unique
		a.log.Error("catalog is not consistent and was not taken", zap.Error(err))
		return
	}
	a.dispatch.SetCatalog(c)
	if a.server != nil {
		a.server.Refresh()
	}
}

func (a *app) absent(ctx context.Context, p policy.Principal, name string) (again bool, why string) {
	if a.servers != nil {
		again, why = a.servers.Absent(ctx, p, name)
	}
	if !again && why == "" {
		why = a.absentHere(name)
	}
	return again, why
}

// absentHere says why a tool of the workspace is not there.
func (a *app) absentHere(name string) string {
	switch known, writable := workspace.Offers(strings.TrimPrefix(name, catalog.Workspace+".")); {
	case known && a.workspace == nil:
		return noWorkspaceHint
	case known && writable && !a.config.Writable:
		return "the workspace is read-only: the user can add --writable to this server's arguments"
	}
	return ""
}

// openServers starts the upstream servers in the background.
func (a *app) openServers() {
	if a.servers != nil {
		a.servers.Open()
	}
}

// settleTimeout is how long a command of a terminal waits for servers.
const settleTimeout = 30 * time.Second

// settleServers starts the servers and waits until each has come up or has failed.
func (a *app) settleServers(ctx context.Context) {
	if a.servers == nil {
		return
	}
	a.reports = true
	a.servers.Open()
	ctx, cancel := context.WithTimeout(ctx, settleTimeout)
	defer cancel()
	_ = a.servers.Settled(ctx) // who is not up by then is shown as starting
}

// verb puts a state into a sentence.
func verb(state string) string {
	if state == "failed" {
		return "can't be started"
	}
	return "is " + state
}

// reportServers tells of every server that is not as it should be. It reports
// whether all are.
func (a *app) reportServers(w io.Writer) bool {
	if a.servers == nil {
		return true
	}
	ok := true
	for _, s := range a.servers.Status() {
		switch s.State {
		case "ready", "disabled":
		default:
			ok = false
			if s.State == "starting" {
				s.Reason = "it has not answered yet"
			}
			fmt.Fprintf(w, "server %s %s: %s\n", s.Name, verb(s.State), s.Reason)
		}
		for _, warning := range s.Warnings {
			fmt.Fprintf(w, "server %s: %s\n", s.Name, warning)
		}
	}
	return ok
}
