package metrics

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/nodetriage/nodetriage/controller/engine"
)

// Source has the judgements: an engine.Engine.
type Source interface {
	Current() *engine.Judgement
	Judgements() <-chan *engine.Judgement
}

// Collector exports the newest judgement. Every replica exports it, so queries take the maximum over replicas. It is a
// prometheus.Collector, and a runnable of controller-runtime that counts the judgements.
type Collector struct {
	source   Source
	build    prometheus.Gauge
	duration *prometheus.HistogramVec
}

// New returns a Collector. The version is that of the program.
func New(source Source, version string) *Collector {
	c := &Collector{
		source: source,
		build: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "nodetriage_build_info", Help: "The version of the controller.", ConstLabels: prometheus.Labels{"version": version},
		}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "nodetriage_judgement_duration_seconds", Help: "How long a judgement took, with the reading of the evidence.",
			Buckets: prometheus.ExponentialBuckets(0.01, 2, 12), // 10 ms to 20 s
		}, []string{"scope"}),
	}
	c.build.Set(1)
	return c
}

// Start observes each judgement until ctx ends.
func (c *Collector) Start(ctx context.Context) error {
	judgements := c.source.Judgements()
	for {
		select {
		case j := <-judgements:
			if j.Blind == nil {
				c.duration.WithLabelValues("cluster").Observe(j.Took.Seconds())
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// NeedLeaderElection reports that it runs on every replica.
func (c *Collector) NeedLeaderElection() bool { return false }

// gauge is a metric that is computed from the judgement.
type gauge struct {
	desc *prometheus.Desc
	of   func(*engine.Judgement) []sample
}

// sample is a value with its labels, in the order of the metric.
type sample struct {
	value  float64
	labels []string
}

// describe returns a gauge.
func describe(name, help string, of func(*engine.Judgement) []sample, labels ...string) gauge {
	return gauge{prometheus.NewDesc(name, help, labels, nil), of}
}

var gauges = []gauge{
	describe("nodetriage_last_judgement_timestamp_seconds", "The time of the newest judgement on current evidence.", lastJudgement),
	describe("nodetriage_node_verdict", "1 for the verdict of a node that is not clear.", nodeVerdicts, "node", "verdict"),
	describe("nodetriage_nodes", "Nodes by pool and verdict.", nodeCounts, "pool", "verdict"),
	describe("nodetriage_findings", "Nodes that have a cause; 1 for a cause that is not about nodes, with an empty pool.", findings, "cause", "certainty", "severity", "pool"),
	describe("nodetriage_finding_age_seconds", "Age of the oldest finding of a cause.", findingAges, "cause", "pool"),
	describe("nodetriage_evidence_gaps", "Checks that were not possible, by the missing kind of evidence.", evidenceGaps, "kind"),
	describe("nodetriage_drain_blocked_pods", "Pods on cordoned nodes that a drain cannot evict, by reason.", drainBlocked, "reason"),
}

// Describe sends the descriptions of all metrics.
func (c *Collector) Describe(to chan<- *prometheus.Desc) {
	for _, g := range gauges {
		to <- g.desc
	}
	c.build.Describe(to)
	c.duration.Describe(to)
}

// Collect sends all metrics. There are none of the cluster before the first judgement.
func (c *Collector) Collect(to chan<- prometheus.Metric) {
	c.build.Collect(to)
	c.duration.Collect(to)
	j := c.source.Current()
	if !j.Judged() {
		return
	}
	for _, g := range gauges {
		for _, s := range g.of(j) {
			to <- prometheus.MustNewConstMetric(g.desc, prometheus.GaugeValue, s.value, clean(s.labels)...)
		}
	}
}

// clean makes label values valid UTF-8: Prometheus rejects all metrics otherwise.
func clean(labels []string) []string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = strings.ToValidUTF8(l, "\uFFFD")
	}
	return out
}

func lastJudgement(j *engine.Judgement) []sample {
	return []sample{{value: float64(j.At.UnixNano()) / float64(time.Second)}}
}
