//go:build unix

package conformance

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// What Kubernetes leaves open, by mechanism.
func (s *setting) terms() map[string]time.Duration {
	taint := 100 * time.Millisecond // the loop that adds NoExecute taints
	if s.nextPass {
		taint *= 2 // and what the pass before took
	}
	return map[string]time.Duration{
		"detect":   10400*time.Millisecond + s.period, // the age of the last heartbeat, and the period of the monitor
		"monitor":  s.period,
		"taint":    taint,
		"slot":     s.slot,                   // between two nodes of a zone
		"gc":       20 * time.Second,         // the pod garbage collector
		"lag":      50 * time.Millisecond,    // from a write to the controller that reacts
		"backoff":  2 * time.Second,          // of a Job: whole seconds, and syncs by the second
		"boot":     14 * time.Second,         // of a kubelet and its runtime
		"sync":     10 * time.Second,         // of a kubelet's status
		"stop":     2 * time.Second,          // of a pod, besides its grace period
		"grace":    30 * time.Second,         // the default grace period of a pod
		"detach":   100 * time.Millisecond,   // the loop of the attach-detach controller
		"second":   time.Second,              // what the API tells is cut to seconds
		"takeover": 11400 * time.Millisecond, // of the lead: 3.2 periods of retry, and the start
	}
}

// allowed is the sum of terms, each with a factor where it counts several times: detect+taint+11*slot.
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

// or fills in the usual widths.
func (w Widths) or() Widths {
	w.NotReady = cmp.Or(w.NotReady, "detect")
	w.ReadyAgain = cmp.Or(w.ReadyAgain, "boot")
	w.Deleted = cmp.Or(w.Deleted, "detect+taint+lag")
	w.Tainted = cmp.Or(w.Tainted, w.Deleted)
	w.Gone = cmp.Or(w.Gone, w.Deleted)
	w.Replaced = cmp.Or(w.Replaced, w.Deleted+"+lag")
	return w
}
