//go:build unix

package conformance

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// incident is a kind of event of a random scenario.
type incident struct {
	name      string
	args      []string
	before    []Step
	do        []Step
	single    bool // to one node
	returns   bool // the nodes come back
	working   bool // kubelets work before and after it
	turns     bool // the taints of lost nodes are added one after another
	tolerated []int64
	widths    Widths
}

// some lists the toleration seconds for a lost node. Those for nodes that return are far from the time of the return.
var (
	some = []int64{shortSeconds, shortSeconds, 0, 1, 5, 30, -1}
	// A pod must not tolerate a lost node for less than the monitor period: its replacement may be bound to a node that
	// has just returned, and be evicted again.
	returning = []int64{shortSeconds, 5, 60, -1}
	before    = []Step{{0, silence}, {0, lostNow}}
)

const detected = "detect+taint"

// incidents lists the possible events. In their widths, grace is the longest grace period of the pods.
var incidents = []incident{
	{name: "power-off", args: on("power-off"), do: now(silence), turns: true, tolerated: some, widths: Widths{Deleted: detected + "+lag"}},
	{name: "kubelet-stop", args: on("kubelet-stop"), do: now(silence), turns: true, tolerated: some, widths: Widths{Deleted: detected + "+lag"}},
	{name: "partition", args: on("partition"), do: now(silence), turns: true, tolerated: some, widths: Widths{Deleted: detected + "+lag"}},
	{name: "short reboot", args: on("reboot", "--back-after", "5s"), do: then(silence, 5*s, boot), returns: true,
		tolerated: []int64{60, -1}, widths: Widths{NotReady: "15s"}},
	{name: "reboot", args: on("reboot", "--back-after", "45s"), do: then(silence, 45*s, boot), single: true, returns: true, turns: true,
		tolerated: returning, widths: Widths{Gone: detected + "+15s", Replaced: detected + "+15s+lag"}},
	{name: "stopped kubelet", args: on("kubelet-stop", "--back-after", "45s"), do: then(silence, 45*s, boot), single: true, returns: true, turns: true,
		tolerated: returning, widths: Widths{Gone: detected + "+grace+15s", Replaced: detected + "+grace+15s+lag"}},
	{name: "healed partition", args: on("partition", "--back-after", "45s"), do: then(silence, 45*s, wake), single: true, returns: true, turns: true,
		tolerated: returning, widths: Widths{Gone: detected + "+grace+15s", Replaced: detected + "+grace+15s+lag"}},
	{name: "shutdown", working: true, args: on("shutdown"), do: now(shutdown), turns: true, tolerated: some,
		widths: Widths{NotReady: "2*grace+2*stop", Deleted: "2*grace+2*stop+monitor+2*lag+taint", Replaced: "2*grace+2*stop+monitor+3*lag+taint"}},
	{name: "taint", working: true, args: on("taint", "--taint", keptByNode+":NoExecute"), do: now(taint(corev1.Taint{Key: keptByNode, Effect: corev1.TaintEffectNoExecute})), tolerated: some,
		widths: Widths{Deleted: "2*lag", Gone: "grace+stop+2*lag", Replaced: "grace+stop+3*lag"}},
	{name: "deletion of working", working: true, args: on("delete"), do: now(deleteNode), tolerated: some,
		widths: Widths{NotReady: "40s+gc", Deleted: "gc", Gone: "40s+gc", Replaced: "40s+gc+lag"}},
	{name: "deletion of dead", args: on("delete"), before: before, do: now(deleteNode), turns: true, tolerated: some,
		widths: Widths{NotReady: "second", Deleted: "gc+second", Gone: "gc+second", Replaced: "gc+second+lag"}},
	{name: "out of service, dead", args: on("out-of-service"), before: before, do: now(outOfService), tolerated: some,
		widths: Widths{NotReady: "second", Deleted: "second+taint+lag", Gone: "gc+2*lag", Replaced: "gc+3*lag"}},
	{name: "out of service, working", working: true, args: on("out-of-service"), do: now(outOfService), tolerated: some,
		widths: Widths{Deleted: "2*lag", Gone: "grace+stop+2*lag", Replaced: "grace+stop+3*lag"}},
	{name: "deleted pods, dead", args: on("delete-pods"), before: before, do: now(deletePods(nil)), tolerated: []int64{-1},
		widths: Widths{NotReady: "second", Deleted: "second", Replaced: "second+lag"}},
	{name: "force-deleted pods, dead", args: on("force-delete"), before: before, do: now(deletePods(new(int64))), tolerated: []int64{-1},
		widths: Widths{NotReady: "second", Deleted: "second", Replaced: "second+lag"}},
	{name: "deleted pods, working", working: true, args: on("delete-pods"), do: now(deletePods(nil)), tolerated: some,
		widths: Widths{Deleted: "second", Gone: "second+grace+stop+2*lag", Replaced: "second+grace+stop+3*lag"}},
	{name: "death long ago", before: []Step{{0, silence}, {0, lostNow}, {2 * s, nothing}}, tolerated: some,
		widths: Widths{NotReady: "second", Deleted: "second+lag"}},
	{name: "not ready", working: true, before: []Step{{0, notReady}, {3 * s, nothing}}, turns: true, tolerated: some,
		widths: Widths{NotReady: "second", Deleted: "second+monitor+taint+lag", Gone: "second+monitor+taint+lag+grace+stop", Replaced: "second+monitor+taint+2*lag+grace+stop"}},
}

// happens adds the event to the scenario.
func (e *incident) happens(s *Scenario) {
	s.Args, s.Before, s.Do = e.args, e.before, e.do
	w := e.widths.or()
	s.Widths = Widths{
		NotReady: s.open(w.NotReady), ReadyAgain: w.ReadyAgain, Tainted: s.open(w.Tainted), Deleted: s.open(w.Deleted), Gone: s.open(w.Gone), Replaced: s.open(w.Replaced),
	}
	if e.working && slices.ContainsFunc(s.Loads, func(l Load) bool { return l.Stops != "" }) {
		for _, width := range []*string{&s.Widths.NotReady, &s.Widths.Gone, &s.Widths.Replaced} {
			*width += s.open("+grace") // working kubelets end those pods at any time
		}
	}
	if e.turns {
		for _, width := range []*string{&s.Widths.Tainted, &s.Widths.Deleted, &s.Widths.Gone, &s.Widths.Replaced} {
			*width += fmt.Sprintf("+%d*slot", s.turns())
		}
	}
	if slices.ContainsFunc(s.Loads, func(l Load) bool { return l.Kind == job }) {
		s.Widths.Gone += "+second" // its Job must count the pod first
		s.Widths.Replaced += "+backoff"
	}
}

// open returns the width with the grace period of the pods.
func (s *Scenario) open(width string) string {
	var grace time.Duration
	for _, l := range s.Loads {
		own := 30 * time.Second
		if l.Grace > 0 {
			own = time.Duration(l.Grace) * time.Second
		}
		grace = max(grace, own)
	}
	parts := strings.Split(width, "+")
	for i, part := range parts {
		switch factor, rest, found := strings.Cut(part, "*"); {
		case part == "grace":
			parts[i] = grace.String()
		case found && rest == "grace":
			parts[i] = factor + "*" + grace.String()
		}
	}
	return strings.Join(parts, "+")
}

// turns returns the number of turns of its zone that a node may wait for its taint: those of the others, and one more
// if the zone is fully disrupted.
func (s *Scenario) turns() int {
	nodes, down := make([]int, s.Zones), make([]int, s.Zones)
	for i := range s.Nodes {
		nodes[i%s.Zones]++
		if s.By == "--zone" && i%s.Zones == 0 || s.By == "" && i < s.Down {
			down[i%s.Zones]++
		}
	}
	most := 0
	for i := range nodes {
		if down[i] == 0 {
			continue
		}
		n := down[i] - 1
		if down[i] == nodes[i] {
			n++
		}
		most = max(most, n)
	}
	return most
}
