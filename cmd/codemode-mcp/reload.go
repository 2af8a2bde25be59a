package main

import (
	"slices"
	"strings"

	"go.uber.org/zap"

	"codemode-mcp/internal/config"
)

// reload reads the configuration again and takes from it what can change while
// scripts run: limits, the local user's role, and who may call what of which server.
// Everything else waits for a restart and is named in the log. A file that can't be
// read or has a mistake changes nothing.
func (a *app) reload() error {
	a.reloading.Lock()
	defer a.reloading.Unlock()
	cfg, err := config.Load(a.flags)
	if err != nil {
		a.log.Error("the changed configuration was not taken, the one before stays in force", zap.Error(err))
		return err
	}
	for _, note := range cfg.Notes {
		if !slices.Contains(a.current.Notes, note) {
			a.log.Info("configuration: " + note)
		}
	}
	var waiting []string
	cfg.Limits, waiting = a.current.Limits.Reload(cfg.Limits)
	waiting = append(waiting, config.OnlyRestart(a.config, cfg)...)
	a.bridge.SetLimits(cfg.Limits)
	a.dispatch.SetBounds(callBounds(cfg.Limits))
	a.principal.Role = cfg.Role
	if a.servers != nil {
		a.servers.SetMaxResult(cfg.Limits.MaxToolResultKB << 10)
		waiting = append(waiting, a.servers.Reload(cfg.Servers)...)
	} else if len(cfg.Servers) > 0 {
		waiting = append(waiting, "mcpServers")
	}
	if a.server != nil {
		a.server.SetLive(cfg.Limits, a.principal)
	}
	if a.reloaded != nil {
		waiting = append(waiting, a.reloaded(cfg)...)
	}
	a.current = *cfg
	a.log.Info("configuration reloaded", zap.Int("tools", len(a.dispatch.Catalog().Visible(a.principal))))
	if len(waiting) > 0 {
		a.log.Warn("configuration: some changes wait for a restart: " + strings.Join(waiting, "; "))
	}
	return nil
}
