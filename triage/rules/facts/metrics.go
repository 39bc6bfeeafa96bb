package facts

import (
	"math"
	"strconv"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// mostMetric is more than any kubelet series counts: bytes, seconds and calls. Infinite values and NaN are unknown.
const mostMetric = 1e15

// Metric returns a series of a kubelet's /metrics as a number.
func Metric(k *evidence.Kubelet, series string) (float64, bool) {
	v, err := strconv.ParseFloat(k.Metrics[series], 64)
	return v, err == nil && math.Abs(v) <= mostMetric
}

// MetricRef quotes a series of a kubelet's /metrics.
func MetricRef(k *evidence.Kubelet, series string) evidence.Ref {
	return evidence.Ref{
		Source: "kubelet of node/" + k.Node, Locator: "/metrics " + series, Text: k.Metrics[series], ObservedAt: k.TakenAt,
	}
}

// MeanOf returns the mean of a duration histogram since the kubelet's start, and its count.
func MeanOf(k *evidence.Kubelet, name, labels string) (time.Duration, float64) {
	sum, ok := Metric(k, name+"_sum"+labels)
	n, ok2 := Metric(k, name+"_count"+labels)
	if !ok || !ok2 || n == 0 {
		return 0, 0
	}
	return time.Duration(min(sum/n, bounds.Longest.Seconds()) * float64(time.Second)), n
}
