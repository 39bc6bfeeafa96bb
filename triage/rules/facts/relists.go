package facts

import (
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// Relists of the kubelet's PLEG are due every second and take milliseconds on a healthy node.
const (
	// FewRelists is the number of relists below which their mean is not reliable.
	FewRelists = 10
	// BusyRelist is a mean that shows a busy node. It explains other signs of load, and is no finding alone.
	BusyRelist = 3 * time.Second
	// SlowRelist is a mean that only a runtime that nearly hangs has.
	SlowRelist = 10 * time.Second
)

// MeanRelist returns the mean duration of a kubelet's relists since its start, and their number.
func MeanRelist(k *evidence.Kubelet) (time.Duration, float64) {
	return MeanOf(k, "kubelet_pleg_relist_duration_seconds", "")
}
