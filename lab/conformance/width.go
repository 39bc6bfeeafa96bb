//go:build unix

package conformance

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The uncertainty of Kubernetes, by mechanism.
func (s *setting) terms() map[string]time.Duration {
	taint := 100 * time.Millisecond // the loop that adds NoExecute taints
	if s.nextPass {
		taint *= 2 // and the duration of the pass before
	}
	return map[string]time.Duration{
		"detect":   10400*time.Millisecond + s.period, // age of the last heartbeat, and period of the monitor
		"monitor":  s.period,
		"taint":    taint,
		"slot":     s.slot,                   // between two nodes of a zone
		"gc":       20 * time.Second,         // the pod garbage collector
		"lag":      50 * time.Millisecond,    // from a write to the reaction of a controller
		"backoff":  2 * time.Second,          // of a Job: whole seconds, and one sync per second
		"boot":     14 * time.Second,         // of a kubelet and its runtime
		"sync":     10 * time.Second,         // status update of a kubelet
		"stop":     2 * time.Second,          // of a pod, in addition to its grace period
		"grace":    30 * time.Second,         // the default grace period of a pod
		"detach":   100 * time.Millisecond,   // the loop of the attach-detach controller
		"second":   time.Second,              // the API truncates times to seconds
		"takeover": 11400 * time.Millisecond, // of the lease: 3.2 retry periods, and the start
	}
}

// allowed returns the sum of terms, each with an optional factor: detect+taint+11*slot.
func (s *setting) allowed(sum string) (time.Duration, error) {
	var total time.Duration
	terms := s.terms()
	for part := range strings.SplitSeq(sum, "+") {
		times := 1.0
		if factor, rest, ok := strings.Cut(part, "*"); ok {
			var err error
			if times, err = strconv.ParseFloat(factor, 64); err != nil {
				return 0, fmt.Errorf("read width %q: %w", sum, err)
			}
			part = rest
		}
		d, known := terms[part]
		if !known {
			var err error
			if d, err = time.ParseDuration(part); err != nil {
				return 0, fmt.Errorf("read width %q: no term %q", sum, part)
			}
		}
		total += time.Duration(times * float64(d))
	}
	return total, nil
}

// or fills in the default widths.
func (w Widths) or() Widths {
	w.NotReady = cmp.Or(w.NotReady, "detect")
	w.ReadyAgain = cmp.Or(w.ReadyAgain, "boot")
	w.Deleted = cmp.Or(w.Deleted, "detect+taint+lag")
	w.Tainted = cmp.Or(w.Tainted, w.Deleted)
	w.Gone = cmp.Or(w.Gone, w.Deleted)
	w.Replaced = cmp.Or(w.Replaced, w.Deleted+"+lag")
	return w
}
