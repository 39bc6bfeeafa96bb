package facts

import (
	"strconv"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// Metric returns a series of a kubelet's /metrics as a number.
func Metric(k *evidence.Kubelet, series string) (float64, bool) {
	v, err := strconv.ParseFloat(k.Metrics[series], 64)
	return v, err == nil
}

// MetricRef quotes a series of a kubelet's /metrics.
func MetricRef(k *evidence.Kubelet, series string) evidence.Ref {
	return evidence.Ref{
		Source: "kubelet of node/" + k.Node, Locator: "/metrics " + series, Text: k.Metrics[series], ObservedAt: k.TakenAt,
	}
}

// MeanOf returns the mean of a duration histogram since the kubelet's start, and how many it counts.
func MeanOf(k *evidence.Kubelet, name, labels string) (time.Duration, float64) {
	sum, ok := Metric(k, name+"_sum"+labels)
	n, ok2 := Metric(k, name+"_count"+labels)
	if !ok || !ok2 || n == 0 {
		return 0, 0
	}
	return time.Duration(sum / n * float64(time.Second)), n
}
