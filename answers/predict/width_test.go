package predict_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/cases/casetest"
)

// open is the uncertainty of Kubernetes with the default flags, by mechanism. An interval is a sum of these terms. The lab
// compares forecasts with the same sums (lab/conformance/width.go). This test needs no control plane to detect a wider
// interval.
var open = map[string]time.Duration{
	"age":      10400 * time.Millisecond, // of the last heartbeat: a renewal and its jitter
	"monitor":  5 * time.Second,          // a pass of the node lifecycle controller
	"taint":    100 * time.Millisecond,   // the loop that adds NoExecute taints, and its wait for a turn
	"slot":     10130 * time.Millisecond, // between two nodes of a zone
	"slow":     100130 * time.Millisecond,
	"gc":       20 * time.Second,      // a round of the pod garbage collector
	"lag":      50 * time.Millisecond, // from a write to the reaction of a controller
	"backoff":  2 * time.Second,       // of a Job: whole seconds, and syncs by the second
	"boot":     14 * time.Second,      // of a kubelet and its runtime
	"return":   15 * time.Second,      // of a kubelet, until it terminates pods
	"sync":     10 * time.Second,      // of a kubelet's status, and of its pods'
	"grace":    30 * time.Second,
	"stop":     2 * time.Second, // of a pod, in addition to its grace period
	"second":   time.Second,     // times in the API are truncated to seconds
	"takeover": 11400 * time.Millisecond,
}

// wide is the maximum width of a case's intervals: not ready, ready again, taint, deleted, gone, and the replacement, by a Job
// and by others. Empty: there must be none.
type wide struct{ unready, ready, taint, deleted, gone, replaced, job, static string } // static: of the mirrors of static pods

const detect = "age+monitor"

// lost is a node that becomes unreachable at once, if turns other nodes of its zone may be first.
func lost(turns string) wide {
	late := detect + "+taint" + turns
	return wide{unready: detect, taint: late, deleted: late + "+lag", gone: late + "+lag", replaced: late + "+2*lag", job: late + "+2*lag+backoff"}
}

func (w wide) with(change func(*wide)) wide { change(&w); return w }

// widths are those of each case, or of the event if a case has none.
var widths = map[string]wide{
	"power-off": lost(""), "kubelet-stop": lost(""),
	"all-listed": lost("+3*slot"), "all-part": lost("+3*slot"),
	"all-listed-restart": lost("+3*slot").with(func(w *wide) {
		w.deleted, w.replaced, w.job = "takeover+taint+3*slot+lag", "takeover+taint+3*slot+2*lag", "takeover+taint+3*slot+2*lag+backoff"
	}),
	"two-die": lost("+slot"), "zone-5-of-12": lost("+4*slot"), "zone-12-of-12": lost("+12*slot"), "zone-12-of-22": lost("+11*slot"), "zone-40-of-60": lost("+40*slow"),
	"all-die": {unready: detect}, "three-die": {unready: detect}, "zone-12-of-20": {unready: detect},
	"power-off-131": lost("+taint"), "power-off-133": lost("+taint"),
	"manager-flags": {unready: "age+2s", taint: "age+2s+taint+2130ms", deleted: "age+2s+taint+2130ms+lag", replaced: "age+2s+taint+2130ms+2*lag", job: "age+2s+taint+2130ms+2*lag+backoff"},

	"reboot":    lost("").with(func(w *wide) { w.ready, w.gone = "boot", "return" }),
	"reboot-20": {unready: "return", ready: "boot"},
	"reboot-345": lost("").with(func(w *wide) {
		w.ready, w.gone, w.replaced = "boot", "monitor+5s+grace+stop+taint+lag", "monitor+5s+grace+stop+taint+2*lag"
	}),
	"partition-200": {unready: detect, ready: "2*sync", taint: detect + "+taint"},
	"partition-400": lost("").with(func(w *wide) { w.ready, w.gone, w.replaced = "2*sync", "grace+return", "grace+return+lag" }),

	"manager-restart": lost("").with(func(w *wide) {
		w.deleted, w.replaced, w.job = "takeover+taint+lag", "takeover+taint+2*lag", "takeover+taint+2*lag+backoff"
	}),
	"manager-restart-unnoticed": {unready: "takeover+monitor", taint: "takeover+monitor+taint", deleted: "takeover+monitor+taint+lag", replaced: "takeover+monitor+taint+2*lag", job: "takeover+monitor+taint+2*lag+backoff"},

	"delete":         {static: "grace+stop+lag", unready: "gc", deleted: "gc", gone: "gc+second", replaced: "gc+2*lag", job: "gc+backoff"},
	"down-delete":    {unready: "second", deleted: "gc", gone: "gc", replaced: "gc+lag", job: "gc+lag+second"},
	"delete-pods":    {deleted: "lag", gone: "lag+grace+stop", replaced: "2*lag+grace+stop", job: "lag+backoff"},
	"force-delete":   {deleted: "lag", gone: "lag", replaced: "2*lag", job: "lag+backoff"},
	"taint":          {deleted: "taint", gone: "taint+grace+stop", replaced: "taint+lag+grace+stop", job: "taint+backoff"},
	"out-of-service": {deleted: "taint", gone: "taint+grace+stop", replaced: "taint+lag+grace+stop", job: "taint+backoff"},
	"shutdown": {unready: "grace+stop", taint: "monitor+taint+second", deleted: "grace+stop+lag", gone: "grace+stop+lag",
		replaced: "grace+stop+2*lag", job: "grace+stop+backoff"},
	"shutdown-critical": {unready: "grace+10s+2*stop", taint: "monitor+taint+second", deleted: "grace+10s+2*stop+lag", gone: "grace+10s+2*stop+lag",
		replaced: "grace+10s+2*stop+2*lag", job: "grace+stop+backoff"},

	"down-out-of-service": {unready: "second", deleted: "taint", gone: "taint+gc", replaced: "taint+gc+lag", job: "taint+lag+second"},
	"down-back":           {unready: "second", ready: "2*sync", taint: "second"},
	"down-just-lost":      {unready: "second", taint: "taint", deleted: "taint+lag", replaced: "taint+2*lag", job: "taint+2*lag+second"},
	"down-running":        {unready: "second", taint: "second", deleted: "second+lag", replaced: "second+2*lag", job: "second+2*lag+second"},
	"down-terminating":    {unready: "second", taint: "second", deleted: "second", replaced: "second+lag", job: "lag+2*second"},
	"down-undetected":     {unready: "monitor", taint: "monitor+taint", deleted: "monitor+taint+lag", replaced: "monitor+taint+2*lag", job: "monitor+taint+2*lag+second"},
	"not-ready-cni":       {unready: "second", taint: "second", deleted: "second+lag", gone: "second+lag+grace+stop", replaced: "second+2*lag+grace+stop", job: "2*second+2*lag"},
	"not-ready-runtime":   {unready: "second", taint: "second", deleted: "second+lag", replaced: "second+2*lag", job: "2*second+2*lag"},
}

// No interval is wider than the sum of its mechanisms, and no sum is more than a second too wide.
func TestWidths(t *testing.T) {
	widest := map[string]time.Duration{} // by case or event, and sum
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, file *casetest.Case) {
		c, s := readCase(t, file)
		f, err := predict.New(s, c.Scenario)
		if err != nil {
			return // a case of bad usage
		}
		of := strings.TrimSuffix(filepath.Base(file.Path), ".txtar")
		if _, own := widths[of]; !own {
			of = string(c.Event)
		}
		w, known := widths[of]
		if !known && len(f.Pods) > 0 && c.Event != predict.Taint {
			t.Fatalf("nothing says how wide its intervals may be (%s)", c.Event)
		}
		checkWidths(t, f, w, func(what, sum string, got time.Duration) {
			key := of + " " + what + " " + sum
			widest[key] = max(widest[key], got)
		})
	})
	for of, w := range widths {
		for what, sum := range map[string]string{"unready": w.unready, "ready": w.ready, "taint": w.taint, "deleted": w.deleted, "gone": w.gone, "replaced": w.replaced, "job": w.job, "static": w.static} {
			if got, seen := widest[of+" "+what+" "+sum]; seen && total(t, sum)-got > time.Second {
				t.Errorf("%s %s: the widest is %s, and %s is granted (%s)", of, what, got, total(t, sum), sum)
			}
		}
	}
}

func checkWidths(t *testing.T, f *predict.Forecast, w wide, note func(what, sum string, got time.Duration)) {
	t.Helper()
	check := func(name, what string, s *plan.Interval, sum string) {
		if s == nil {
			return
		}
		got, most := time.Duration(s.To-s.From), total(t, sum)
		if got > most {
			t.Errorf("%s %s: %s is %s wide, and no more than %s is open (%s)", name, what, s, got, most, sum)
		}
		note(what, sum, got)
	}
	for _, p := range f.Pods {
		if w.static != "" && strings.HasPrefix(p.Name, "static-") {
			check(p.Name, "static", p.NotReadyAt, w.static)
			check(p.Name, "static", p.GoneAt, w.static)
			check(p.Name, "deleted", p.DeletedAt, w.deleted)
			continue
		}
		check(p.Name, "unready", p.NotReadyAt, w.unready)
		check(p.Name, "ready", p.ReadyAgain, w.ready)
		check(p.Name, "deleted", p.DeletedAt, w.deleted)
		check(p.Name, "gone", p.GoneAt, w.gone)
		if strings.HasPrefix(p.Owner, "Job/") {
			check(p.Name, "job", p.Replacement.At, w.job)
		} else {
			check(p.Name, "replaced", p.Replacement.At, w.replaced)
		}
	}
	for _, m := range f.Timeline {
		if strings.Contains(m.What, ":NoExecute: the timers") {
			check(m.Subject.Name, "taint", &m.Interval, w.taint)
		}
	}
}

// total returns a sum of terms, with factors: age+monitor+11*slot.
func total(t *testing.T, sum string) (d time.Duration) {
	t.Helper()
	for part := range strings.SplitSeq(sum, "+") {
		times := 1
		if factor, rest, ok := strings.Cut(part, "*"); ok {
			n, err := strconv.Atoi(factor)
			if err != nil {
				t.Fatalf("read width %q: %v", sum, err)
			}
			times, part = n, rest
		}
		term, known := open[part]
		if !known && part != "" {
			var err error
			if term, err = time.ParseDuration(part); err != nil {
				t.Fatalf("read width %q: no term %q", sum, part)
			}
		}
		d += time.Duration(times) * term
	}
	return d
}
