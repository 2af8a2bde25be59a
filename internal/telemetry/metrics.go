package telemetry

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"codemode-mcp/internal/dispatch"
)

// Metrics are the figures of one process for Prometheus. Labels hold words of ours
// only: a name from outside would make a new series each time.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	runs     *prometheus.HistogramVec
	calls    *prometheus.HistogramVec
}

// NewMetrics makes the figures, all at nought.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "codemode_http_requests_total", Help: "HTTP requests by JSON-RPC method and status."}, []string{"rpc", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "codemode_http_request_seconds", Help: "Time of HTTP requests, streams left out.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 10)}, []string{"rpc"}),
		runs: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "codemode_run_seconds", Help: "Time of script runs by how they ended.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 10)}, []string{"outcome"}),
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "codemode_tool_call_seconds", Help: "Time of tool calls, direct ones and those of scripts, by how they ended.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 10)}, []string{"outcome"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.runs, m.calls,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Gauge adds a figure that is read when it is asked for.
func (m *Metrics) Gauge(name, help string, read func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
}

// Gauges adds figures of one name whose label differs; read gives them all.
func (m *Metrics) Gauges(name, help, label string, read func() map[string]float64) {
	m.registry.MustRegister(&gauges{prometheus.NewDesc(name, help, []string{label}, nil), read})
}

type gauges struct {
	desc *prometheus.Desc
	read func() map[string]float64
}

func (g *gauges) Describe(out chan<- *prometheus.Desc) { out <- g.desc }

func (g *gauges) Collect(out chan<- prometheus.Metric) {
	for label, value := range g.read() {
		out <- prometheus.MustNewConstMetric(g.desc, prometheus.GaugeValue, value, label)
	}
}

// known are the JSON-RPC methods that have a series of their own.
var known = []string{"initialize", "notifications/initialized", "notifications/cancelled", "ping", "server/discover", "subscriptions/listen",
	"tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list", "prompts/list", "prompts/get", "completion/complete", "batch"}

// Request counts one HTTP request.
func (m *Metrics) Request(method, rpc string, status int, took time.Duration) {
	endless := rpc == "subscriptions/listen" || rpc == "" && method == http.MethodGet
	switch {
	case rpc == "":
		rpc = "none"
	case !slices.Contains(known, rpc):
		rpc = "other"
	}
	m.requests.WithLabelValues(rpc, strconv.Itoa(status)).Inc()
	if !endless {
		m.seconds.WithLabelValues(rpc).Observe(took.Seconds())
	}
}

// Run counts one run of a script. The outcome is ok, or the kind of its failure.
func (m *Metrics) Run(outcome string, took time.Duration) {
	m.runs.WithLabelValues(outcome).Observe(took.Seconds())
}

// Call counts one tool call.
func (m *Metrics) Call(e dispatch.Event) {
	outcome := "ok"
	if e.Err != nil {
		outcome = reason(e.Err)
	}
	m.calls.WithLabelValues(outcome).Observe(e.Duration.Seconds())
}

// Handler serves the figures.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}
