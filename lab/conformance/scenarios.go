//go:build unix

package conformance

import (
	"fmt"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// The workloads of most nodes.
var (
	web   = Load{Kind: deployment, Name: "web", N: 2}
	db    = Load{Kind: statefulSet, Name: "db", N: 1}
	alone = Load{Kind: naked, Name: "alone"}
	agent = Load{Kind: daemonSet, Name: "agent"}
	proxy = Load{Kind: daemonSet, Name: "proxy", Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}}}
	sys   = Load{Kind: static, Name: "sys"}
)

// classic covers the most common question: what happens to each kind of pod when a node fails?
func classic() []Load {
	return []Load{
		{Kind: deployment, Name: "web", N: 3, Everywhere: true}, {Kind: statefulSet, Name: "db", N: 3, Everywhere: true},
		{Kind: deployment, Name: "app", N: 1}, {Kind: statefulSet, Name: "store", N: 1}, agent, proxy, alone, sys,
	}
}

// with modifies a load.
func with(l Load, change func(*Load)) Load { change(&l); return l }

func on(event string, more ...string) []string { return append([]string{"--event", event}, more...) }

// kept makes pods stay until they are deleted manually.
func kept(l Load) Load { return with(l, func(l *Load) { l.Tolerations = lost(-1) }) }

// patient makes pods tolerate a lost node for a minute.
func patient(l Load) Load { return with(l, func(l *Load) { l.Tolerations = lost(60) }) }

func now(a act) []Step { return []Step{{0, a}} }

func then(a act, after time.Duration, b act) []Step { return []Step{{0, a}, {after, b}} }

const s = time.Second

// All returns the scenarios.
func All() []*Scenario {
	var out []*Scenario
	for _, group := range [][]Scenario{power, returns, timers, zones, hands, workloads, volumes, already, managers, leaders, dark, defaults} {
		for i := range group {
			out = append(out, &group[i])
		}
	}
	return out
}

// Choose selects scenarios by name or control plane; without names, all.
func Choose(names string) ([]*Scenario, error) {
	all := All()
	if names == "" {
		return all, nil
	}
	var out []*Scenario
	for name := range strings.SplitSeq(names, ",") {
		found := slices.DeleteFunc(slices.Clone(all), func(s *Scenario) bool { return s.Name != name && s.Plane != name && (name != "quick" || !s.Quick) })
		if len(found) == 0 {
			return nil, fmt.Errorf("choose scenarios: none is called %q", name)
		}
		out = append(out, found...)
	}
	return out, nil
}

const (
	deletedGone = "detect+taint+lag"
	keptByNode  = "node.example.com/repair"
)

var power = []Scenario{
	{Name: "classic", Shows: "three workers and a control plane: one is switched off", Plane: "short", Quick: true, NoZone: true, Master: true,
		Nodes: 3, Down: 1, Loads: classic(), Args: on("power-off"), Do: now(silence)},
	{Name: "kubelet-stop", Shows: "the kubelet ends, its containers run on", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone, agent}, Args: on("kubelet-stop"), Do: now(silence)},
	{Name: "partition", Shows: "the node is cut off for good", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone, agent}, Args: on("partition"), Do: now(silence)},
	{Name: "shutdown", Shows: "a graceful shutdown: the kubelet ends its pods first", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone, agent, proxy, {Kind: job, Name: "batch", N: 1}}, Args: on("shutdown"), Do: now(shutdown),
		Widths: Widths{NotReady: "grace+stop", Deleted: "grace+stop+monitor+2*lag+taint", Gone: "grace+stop+monitor+2*lag+taint", Replaced: "grace+stop+backoff+lag"}},
}

var returns = []Scenario{
	{Name: "reboot-unnoticed", Shows: "back after 5 s, before anybody noticed", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{patient(web), patient(db), patient(alone), agent}, Args: on("reboot", "--back-after", "5s"), Do: then(silence, 5*s, boot), Widths: Widths{NotReady: "15s"}},
	{Name: "reboot-before-eviction", Shows: "back after the taint, before tolerations end", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{patient(web), patient(db), agent},
		Args: on("reboot", "--back-after", "30s"), Do: then(silence, 30*s, boot)},
	{Name: "reboot-after-eviction", Shows: "back when pods are Terminating: they go, and StatefulSets make theirs again", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone, agent}, Args: on("reboot", "--back-after", "45s"), Do: then(silence, 45*s, boot),
		Widths: Widths{Gone: "15s", Replaced: "15s+lag"}},
	{Name: "no-room-until-back", Shows: "one pod per node and no node left: the replacement waits until the node is back", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{{Kind: deployment, Name: "web", N: 3, Alone: true, Everywhere: true}}, Args: on("reboot", "--back-after", "45s"), Do: then(silence, 45*s, boot),
		Widths: Widths{Gone: "15s"}},
	{Name: "no-room-among-others", Shows: "another pod has no place from the start: who gets the one that comes back is not foretold", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: deployment, Name: "web", N: 4, Unplaced: 1, Alone: true, Everywhere: true}}, Args: on("reboot", "--back-after", "45s"), Do: then(silence, 45*s, boot),
		Widths: Widths{Gone: "15s"}, Contested: true},
	{Name: "kubelet-back", Shows: "the kubelet runs again before tolerations end", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{patient(web), agent},
		Args: on("kubelet-stop", "--back-after", "30s"), Do: then(silence, 30*s, boot)},
	{Name: "healed-before-eviction", Shows: "a partition heals before tolerations end", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{patient(web), patient(db), agent},
		Args: on("partition", "--back-after", "30s"), Do: then(silence, 30*s, wake)},
	{Name: "healed-after-eviction", Shows: "a partition heals when pods are Terminating", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone, agent}, Args: on("partition", "--back-after", "45s"), Do: then(silence, 45*s, wake),
		Widths: Widths{Gone: "grace+15s", Replaced: "grace+15s+lag"}},
}

var timers = []Scenario{
	{Name: "tolerate-1s", Shows: "tolerationSeconds 1", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{with(web, func(l *Load) { l.Tolerations = lost(1) }), with(db, func(l *Load) { l.Tolerations = lost(1) })},
		Args: on("power-off"), Do: now(silence)},
	{Name: "tolerate-0s", Shows: "tolerationSeconds 0", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{with(web, func(l *Load) { l.Tolerations = lost(0) }), alone}, Args: on("power-off"), Do: now(silence)},
	{Name: "tolerate-for-ever", Shows: "tolerations without an end", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{kept(web), with(db, func(l *Load) { l.Tolerations = []corev1.Toleration{tolerate("", -1)} })},
		Args: on("power-off"), Do: now(silence)},
	{Name: "what-if-longer", Shows: "--toleration-seconds 25: pods that tolerated a lost node for 10 s when predict was asked", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone}, Args: on("power-off", "--toleration-seconds", "25"), What: tolerating(25), Do: now(silence)},
	{Name: "what-if-none", Shows: "--toleration-seconds 0", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone}, Args: on("power-off", "--toleration-seconds", "0"), What: tolerating(0), Do: now(silence)},
	{Name: "what-if-replicas", Shows: "--replicas 3: workloads of one and two pods that are scaled to three, and do not go down with the node", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{web, db, {Kind: deployment, Name: "app", N: 1}, alone, agent}, Args: on("power-off", "--replicas", "3"), What: scaled(3), Do: now(silence)},
	{Name: "what-if-enough", Shows: "--replicas 2: a workload of two, both on the node, gains nothing, and one of one gains another pod", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{web, {Kind: deployment, Name: "app", N: 1}}, Args: on("power-off", "--replicas", "2"), What: scaled(2), Do: now(silence)},
	{Name: "first-match", Shows: "the first toleration that matches counts: a wildcard before 5 s, and 20 s before 5 s", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{
			with(web, func(l *Load) { l.Tolerations = append([]corev1.Toleration{tolerate("", -1)}, lost(5)...) }),
			{Kind: deployment, Name: "late", N: 1, Tolerations: append(lost(20), lost(5)...)},
		}, Args: on("power-off"), Do: now(silence)},
	{Name: "two-taints", Shows: "of several taints the shortest time counts, and the timer that runs is kept", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: deployment, Name: "web", N: 1, Tolerations: append(lost(15), tolerate(keptByNode, 60))}, with(alone, func(l *Load) { l.Tolerations = lost(15) })},
		Before: now(taint(corev1.Taint{Key: "other.example.com/x", Effect: corev1.TaintEffectNoSchedule})),
		Args:   on("power-off"), Do: now(silence)},
	{Name: "taint-tolerated", Shows: "a NoExecute taint that pods tolerate for 15 s, 0 s, without end, or not", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{
			{Kind: deployment, Name: "some", N: 1, Tolerations: []corev1.Toleration{tolerate(keptByNode, 15)}},
			{Kind: deployment, Name: "ever", N: 1, Tolerations: []corev1.Toleration{tolerate(keptByNode, -1)}},
			{Kind: daemonSet, Name: "again", Tolerations: []corev1.Toleration{tolerate(keptByNode, 15)}}, web, db, alone, agent, proxy, sys,
		}, Args: on("taint", "--taint", keptByNode+"=now:NoExecute"), Do: now(taint(corev1.Taint{Key: keptByNode, Value: "now", Effect: corev1.TaintEffectNoExecute})),
		Widths: Widths{Deleted: "2*lag", Gone: "grace+stop+2*lag", Replaced: "grace+stop+3*lag"}},
	{Name: "taint-noschedule", Shows: "a NoSchedule taint moves nothing", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone}, Args: on("taint", "--taint", keptByNode+"=now:NoSchedule"),
		Do: now(taint(corev1.Taint{Key: keptByNode, Value: "now", Effect: corev1.TaintEffectNoSchedule}))},
	{Name: "long-grace", Shows: "processes that stop slowly, on a kubelet that works", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: deployment, Name: "slow", N: 1, Grace: 20, Stops: "10m"}, {Kind: statefulSet, Name: "kept", N: 1, Grace: 40, Stops: "10m"}},
		Args: on("taint", "--taint", keptByNode+":NoExecute"), Do: now(taint(corev1.Taint{Key: keptByNode, Effect: corev1.TaintEffectNoExecute})),
		Widths: Widths{Deleted: "2*lag", Gone: "40s+stop+2*lag", Replaced: "40s+stop+3*lag"}},
	{Name: "budget-ignored", Shows: "evictions by taint ask no disruption budget", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{with(web, func(l *Load) { l.MinHealthy = 2 }), with(db, func(l *Load) { l.MinHealthy = 1 })}, Args: on("power-off"), Do: now(silence)},
	{Name: "ended-pods", Shows: "pods that have ended go too, and at once", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{with(alone, func(l *Load) { l.Name, l.Done = "ended", true }), web, db}, Args: on("power-off"), Do: now(silence)},
}

// rooms returns as many pods of each kind as nodes fail.
func rooms(n int32) []Load {
	return []Load{{Kind: deployment, Name: "web", N: n}, alone}
}

var zones = []Scenario{
	{Name: "two-nodes", Shows: "two nodes of a zone: one per 10 s", Plane: "short", Quick: true,
		Nodes: 5, Down: 2, Loads: []Load{{Kind: deployment, Name: "web", N: 4}, {Kind: statefulSet, Name: "db", N: 2}, agent, alone}, Args: on("power-off"), Do: now(silence),
		Widths: Widths{Deleted: "detect+taint+slot+lag"}},
	{Name: "three-of-four", Shows: "three of four nodes: partial disruption, eviction stops", Plane: "short",
		Nodes: 4, Down: 3, Loads: rooms(3), Args: on("power-off"), Do: now(silence)},
	{Name: "5-of-12", Shows: "five of twelve nodes of a zone", Plane: "short",
		Nodes: 12, Down: 5, Loads: rooms(5), Args: on("power-off"), Do: now(silence), Widths: Widths{Deleted: "detect+taint+4*slot+lag"}},
	{Name: "12-of-12", Shows: "a whole zone, others are well: full disruption", Plane: "short", By: "--pool",
		Nodes: 12, Down: 12, Loads: rooms(12), Args: on("power-off"), Do: now(silence), Widths: Widths{Deleted: "detect+taint+12*slot+7*lag"}},
	{Name: "12-of-20", Shows: "60 % of a zone: partial disruption, eviction stops", Plane: "short",
		Nodes: 20, Down: 12, Loads: rooms(12), Args: on("power-off"), Do: now(silence)},
	{Name: "12-of-22", Shows: "54.5 % of a zone: normal, one per 10 s", Plane: "short",
		Nodes: 22, Down: 12, Loads: rooms(12), Args: on("power-off"), Do: now(silence), Widths: Widths{Deleted: "detect+taint+11*slot+lag"}},
	{Name: "zone-of-three", Shows: "a small zone as a whole: full disruption", Plane: "short", Quick: true, By: "--zone",
		Nodes: 3, Down: 3, Loads: []Load{{Kind: deployment, Name: "web", N: 3}, {Kind: statefulSet, Name: "db", N: 1}, agent}, Args: on("power-off"), Do: now(silence),
		Widths: Widths{Deleted: "detect+taint+3*slot+lag"}},
	{Name: "two-zones", Shows: "half of each of two zones at once: one per 10 s in each", Plane: "short",
		Nodes: 8, Zones: 2, Down: 4, Loads: rooms(4), Args: on("power-off"), Do: now(silence), Widths: Widths{Deleted: "detect+taint+slot+lag"}},
	{Name: "two-zones-partial", Shows: "three of four nodes of each of two zones at once: eviction stops in both", Plane: "short",
		Nodes: 8, Zones: 2, Down: 6, Loads: rooms(6), Args: on("power-off"), Do: now(silence)},
	{Name: "excluded", Shows: "nodes that do not count in the statistics of their zone", Plane: "short",
		Nodes: 5, Down: 3, Exclude: true, Loads: rooms(3), Args: on("power-off"), Do: now(silence), Widths: Widths{Deleted: "detect+taint+2*slot+lag"}},
}

var hands = []Scenario{
	{Name: "delete-alive", Shows: "the Node object of a node that works is deleted", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone, agent, proxy}, Args: on("delete"), Do: now(deleteNode), Widths: Widths{NotReady: "gc", Deleted: "gc", Gone: "gc", Replaced: "gc+lag"}},
	{Name: "delete-alive-static", Shows: "the mirrors of its static pods are deleted with the Node object, and its kubelet ends them", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{web, sys}, Args: on("delete"), Do: now(deleteNode), Widths: Widths{NotReady: "grace+stop+lag", Deleted: "gc", Gone: "grace+stop+lag", Replaced: "gc+lag"}},
	{Name: "delete-dead", Shows: "the Node object of a dead node is deleted: the garbage collector takes all its pods", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{kept(web), kept(db), agent, proxy, kept(alone)},
		Before: []Step{{0, silence}, {0, lostNow}}, Args: on("delete"), Do: now(deleteNode), Widths: Widths{NotReady: "second", Deleted: "gc", Gone: "gc", Replaced: "gc+lag"}},
	{Name: "delete-dead-timers", Shows: "timers of pods run on when the Node object is deleted, and mirrors of static pods are deleted with it", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{with(web, func(l *Load) { l.Tolerations = lost(5) }), with(db, func(l *Load) { l.Tolerations = lost(15) }), sys},
		Before: []Step{{0, silence}, {0, lostNow}}, Args: on("delete"), Do: now(deleteNode), Widths: Widths{NotReady: "second", Deleted: "second+lag", Gone: "gc", Replaced: "gc+lag"}},
	{Name: "finalizers", Shows: "finalizers keep pods whose node is deleted", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{kept(with(web, func(l *Load) { l.Finalizer = true })), kept(with(db, func(l *Load) { l.Finalizer = true })), kept(with(alone, func(l *Load) { l.Finalizer = true }))},
		Before: []Step{{0, silence}, {0, lostNow}}, Args: on("delete"), Do: now(deleteNode), Widths: Widths{NotReady: "second", Deleted: "gc", Gone: "gc", Replaced: "gc+lag"}},
	{Name: "out-of-service-dead", Shows: "the taint out-of-service on a dead node", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{kept(web), kept(db), kept(alone), agent, proxy, sys}, Before: []Step{{0, silence}, {0, lostNow}}, Args: on("out-of-service"), Do: now(outOfService),
		Widths: Widths{NotReady: "second", Deleted: "taint+lag", Gone: "gc+2*lag", Replaced: "gc+3*lag"}},
	{Name: "out-of-service-ready", Shows: "the same on a node that works: its kubelet ends the pods", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone, agent, proxy, sys}, Args: on("out-of-service"), Do: now(outOfService),
		Widths: Widths{Deleted: "2*lag", Gone: "grace+stop+2*lag", Replaced: "grace+stop+3*lag"}},
	{Name: "out-of-service-early", Shows: "the taint on a dead node before its absence is noticed: its pods are Terminating until it is", Plane: "defaults",
		Nodes: 3, Down: 1, Loads: []Load{kept(web), kept(db), kept(alone), agent, proxy}, Before: []Step{{0, silence}, {30 * s, nothing}}, Args: on("out-of-service"), Do: now(outOfService),
		Widths: Widths{NotReady: "monitor", Tainted: "monitor+taint", Deleted: "2*lag", Gone: "monitor+gc+lag", Replaced: "monitor+gc+2*lag"}},
	{Name: "delete-pods", Shows: "pods of a dead node are deleted: Terminating, and Deployments replace theirs", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{kept(web), kept(db), agent, kept(alone)},
		Before: []Step{{0, silence}, {0, lostNow}}, Args: on("delete-pods"), Do: now(deletePods(nil)), Widths: Widths{NotReady: "second", Deleted: "second", Replaced: "second+lag"}},
	{Name: "force-delete", Shows: "pods of a dead node are deleted by force: StatefulSets replace theirs too", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{kept(web), kept(db), agent, kept(alone)},
		Before: []Step{{0, silence}, {0, lostNow}}, Args: on("force-delete"), Do: now(deletePods(new(int64))), Widths: Widths{NotReady: "second", Deleted: "second", Replaced: "second+lag"}},
	{Name: "drain-dead", Shows: "a dead node is drained: budgets let its unready pods go, and it hangs", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{
			{Kind: deployment, Name: "web", N: 1, Tolerations: lost(-1)}, kept(db), agent,
			{Kind: deployment, Name: "many", N: 3, Everywhere: true, MinHealthy: 2, Tolerations: lost(-1)},
		}, Before: []Step{{0, silence}, {0, lostNow}}, Args: on("delete-pods"), Do: now(drain), Widths: Widths{NotReady: "second", Deleted: "second", Replaced: "second+lag"}},
	{Name: "cordoned-dead", Shows: "a cordoned node is switched off", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{web, db, agent}, Before: now(cordoned), Args: on("power-off"), Do: now(silence)},
	{Name: "cordoned-rest", Shows: "all other nodes are cordoned: replacements stay Pending", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{web, db, agent}, Before: now(others), Args: on("power-off"), Do: now(silence)},
	{Name: "no-room", Shows: "one pod per node and no node left: the replacement stays Pending", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: deployment, Name: "web", N: 3, Alone: true, Everywhere: true}}, Args: on("power-off"), Do: now(silence)},
}

var workloads = []Scenario{
	{Name: "job", Shows: "a Job replaces pods when their deletion is asked for", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{{Kind: job, Name: "batch", N: 2}}, Args: on("power-off"), Do: now(silence), Widths: Widths{Replaced: "detect+taint+lag+backoff"}},
	{Name: "job-backoff", Shows: "the backoff of a Job counts from when its pod was not ready: it is over when the deletion comes late", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{{Kind: job, Name: "soon", N: 1, Tolerations: lost(1)}, {Kind: job, Name: "late", N: 1, Tolerations: lost(20)}, {Kind: job, Name: "three", N: 3, Tolerations: lost(1)}},
		Args: on("power-off"), Do: now(silence), Widths: Widths{Replaced: "detect+taint+lag+backoff"}},
	{Name: "job-failed-only", Shows: "podReplacementPolicy Failed: not while one is Terminating", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: job, Name: "batch", N: 2, Replacement: batchv1.Failed}}, Args: on("power-off"), Do: now(silence)},
	{Name: "job-failed-only-freed", Shows: "and when the out-of-service taint ends them", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: job, Name: "batch", N: 1, Replacement: batchv1.Failed, Tolerations: lost(-1)}}, Before: []Step{{0, silence}, {0, lostNow}}, Args: on("out-of-service"), Do: now(outOfService),
		Widths: Widths{NotReady: "second", Deleted: "taint+lag", Gone: "gc+2*lag+second", Replaced: "gc+2*lag+backoff"}},
	{Name: "job-out-of-tries", Shows: "a Job without tries left fails", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: job, Name: "batch", N: 1, Backoff: -1}}, Args: on("power-off"), Do: now(silence)},
	{Name: "ordered", Shows: "StatefulSet OrderedReady: all wait for the first, then come one after the other", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{{Kind: statefulSet, Name: "db", N: 3}}, Before: []Step{{0, silence}, {0, evicted}}, Args: on("out-of-service"), Do: now(outOfService),
		Tail: 10 * s, Widths: Widths{NotReady: "second", Deleted: "second", Gone: "gc+2*lag", Replaced: "gc+3*lag"}},
	{Name: "parallel", Shows: "StatefulSet Parallel: each by itself", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: statefulSet, Name: "db", N: 3, Parallel: true}}, Before: []Step{{0, silence}, {0, evicted}}, Args: on("out-of-service"), Do: now(outOfService),
		Widths: Widths{NotReady: "second", Deleted: "second", Gone: "gc+2*lag", Replaced: "gc+3*lag"}},
	{Name: "ordered-dead", Shows: "OrderedReady on a dead node: nothing is made", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: statefulSet, Name: "db", N: 3, Everywhere: true}, {Kind: statefulSet, Name: "store", N: 2}}, Args: on("power-off"), Do: now(silence)},
	{Name: "dying-twice", Shows: "pods that are being deleted when the node dies stay Terminating", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: deployment, Name: "slow", N: 1, Grace: 600, Stops: "10m"}, {Kind: statefulSet, Name: "held", N: 1, Grace: 600, Stops: "10m"}, web},
		Before: now(deleteSlow), Args: on("power-off"), Do: now(silence), Widths: Widths{}},
	{Name: "busy-node", Shows: "60 pods and controllers with their default rate of requests", Plane: "busy",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: deployment, Name: "web", N: 60}}, Args: on("power-off"), Do: now(silence),
		Widths: Widths{NotReady: "detect+46*0.1s", Deleted: "detect+taint+lag+53*0.2s"}},
}

var volumes = []Scenario{
	{Name: "volume-out-of-service", Shows: "a volume follows at once when the node is out of service", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{kept(with(db, func(l *Load) { l.Volume.Name = "data" }))}, Before: []Step{{0, silence}, {0, lostNow}}, Args: on("out-of-service"), Do: now(outOfService),
		Widths: Widths{NotReady: "second", Deleted: "taint+lag", Gone: "gc+2*lag", Replaced: "gc+3*lag"}},
	{Name: "volume-unused", Shows: "a volume that the node does not use is detached at once", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{kept(with(db, func(l *Load) { l.Volume = volume{Name: "data", Unused: true} }))}, Before: []Step{{0, silence}, {0, lostNow}}, Args: on("force-delete"), Do: now(deletePods(new(int64))),
		Widths: Widths{NotReady: "second", Deleted: "second", Replaced: "second+lag"}},
	{Name: "volume-shared", Shows: "a volume that several nodes can use blocks no pod", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{kept(with(db, func(l *Load) { l.Volume = volume{Name: "data", Shared: true} }))}, Before: []Step{{0, silence}, {0, lostNow}}, Args: on("force-delete"), Do: now(deletePods(new(int64))),
		Widths: Widths{NotReady: "second", Deleted: "second", Replaced: "second+lag"}},
	{Name: "volume-stuck", Shows: "the volume of a Deployment's pod stays on the dead node while that is Terminating", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{{Kind: deployment, Name: "web", N: 1, Volume: volume{Name: "data"}}}, Args: on("power-off"), Do: now(silence)},
	{Name: "volume-forced", Shows: "six minutes after a pod is deleted by force", Plane: "defaults",
		Nodes: 3, Down: 1, Loads: []Load{kept(with(db, func(l *Load) { l.Volume.Name = "data" }))}, Before: []Step{{0, silence}, {0, lostNow}}, Args: on("force-delete"), Do: now(deletePods(new(int64))),
		Tail: 340 * s, Widths: Widths{NotReady: "second", Deleted: "second", Replaced: "second+lag"}},
	{Name: "volume-node-deleted", Shows: "six minutes also when the Node object is deleted", Plane: "defaults",
		Nodes: 3, Down: 1, Loads: []Load{kept(with(db, func(l *Load) { l.Volume.Name = "data" }))}, Before: []Step{{0, silence}, {0, lostNow}}, Args: on("delete"), Do: now(deleteNode),
		Tail: 340 * s, Widths: Widths{NotReady: "second", Deleted: "gc", Gone: "gc", Replaced: "gc+lag"}},
}

// Nodes that are already down: absolute times.
var already = []Scenario{
	{Name: "down-undetected", Shows: "silent for a while, not noticed yet", Plane: "defaults",
		Nodes: 3, Down: 1, Loads: []Load{with(web, func(l *Load) { l.Tolerations = lost(10) }), with(db, func(l *Load) { l.Tolerations = lost(10) }), agent}, Before: []Step{{0, silence}, {25 * s, nothing}},
		Widths: Widths{NotReady: "monitor", Deleted: "monitor+taint+lag"}},
	{Name: "down-timers", Shows: "lost, and the timers run", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{patient(web), patient(db), agent, patient(alone)}, Before: []Step{{0, silence}, {0, lostNow}, {2 * s, nothing}},
		Widths: Widths{NotReady: "second", Deleted: "second+lag"}},
	{Name: "down-evicted", Shows: "pods are Terminating already", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{web, db, agent}, Before: []Step{{0, silence}, {0, evicted}, {3 * s, nothing}},
		Widths: Widths{NotReady: "second", Deleted: "second"}},
	{Name: "down-back", Shows: "a dead node is about to be back", Plane: "short",
		Nodes: 3, Down: 1, Loads: []Load{web, db, agent}, Before: []Step{{0, silence}, {0, evicted}}, Args: []string{"--back-after", "20s"}, Do: []Step{{20 * s, boot}},
		Widths: Widths{NotReady: "second", Deleted: "second", Gone: "grace+15s", Replaced: "grace+15s+lag"}},
	{Name: "not-ready", Shows: "the kubelet speaks but is not ready: it ends what is evicted", Plane: "short", Quick: true,
		Nodes: 3, Down: 1, Loads: []Load{patient(web), patient(db), agent, patient(alone)},
		Before: []Step{{0, notReady}, {3 * s, nothing}}, Widths: Widths{NotReady: "second", Deleted: "second+monitor+taint+lag", Gone: "second+lag+grace+stop", Replaced: "second+2*lag+grace+stop"}},
}

var managers = []Scenario{
	{Name: "restart-timers", Shows: "the controller manager is killed and another one starts: running timers restart", Plane: "restart", Quick: true, Restart: 60 * s,
		Nodes: 3, Down: 1, Loads: []Load{patient(web), patient(db), patient(alone), agent}, Args: on("power-off"), Do: now(silence),
		Widths: Widths{Tainted: "detect+taint", Deleted: "takeover+taint+2*lag"}},
	{Name: "restart-evicted", Shows: "what is Terminating stays so", Plane: "restart", Restart: 60 * s,
		Nodes: 3, Down: 1, Loads: []Load{web, db, agent}, Args: on("power-off"), Do: now(silence)},
	{Name: "restart-unnoticed", Shows: "a node whose absence was not noticed gets a new grace period", Plane: "restart", Restart: 5 * s,
		Nodes: 3, Down: 1, Loads: []Load{web, db, agent}, Args: on("power-off"), Do: now(silence),
		Widths: Widths{NotReady: "takeover+monitor", Deleted: "takeover+monitor+taint+2*lag"}},
	{Name: "restart-two-nodes", Shows: "two nodes get their taints again, one per 10 s", Plane: "restart", Restart: 60 * s,
		Nodes: 5, Down: 2, Loads: []Load{patient(Load{Kind: deployment, Name: "web", N: 2})}, Args: on("power-off"), Do: now(silence),
		Widths: Widths{Tainted: "detect+taint+slot", Deleted: "takeover+taint+slot+2*lag"}},
	{Name: "restart-partial", Shows: "three of four nodes of a zone are down, and eviction has stopped", Plane: "restart", Restart: 60 * s,
		Nodes: 4, Down: 3, Loads: rooms(3), Args: on("power-off"), Do: now(silence)},
	{Name: "restart-deleted-node", Shows: "the garbage collector restarts its count too", Plane: "restart", Restart: 15 * s,
		Nodes: 3, Down: 1, Loads: []Load{kept(web), kept(db)}, Args: on("delete"), Do: now(deleteNode),
		Widths: Widths{NotReady: "takeover+gc+lag", Deleted: "takeover+gc+lag", Gone: "takeover+gc+lag", Replaced: "takeover+gc+2*lag"}},
}

// A second controller manager is on standby when the first one is killed.
var leaders = []Scenario{
	{Name: "leader-change", Shows: "the leader is killed, and another controller manager takes over: running timers restart", Plane: "leader", Restart: 60 * s,
		Nodes: 3, Down: 1, Loads: []Load{patient(web), patient(db), agent}, Args: on("power-off"), Do: now(silence),
		Widths: Widths{Tainted: "detect+taint", Deleted: "takeover+taint+2*lag"}},
}

var dark = []Scenario{
	{Name: "all-nodes", Shows: "every node of the cluster: the controller takes itself for cut off and evicts nothing", Plane: "dark", Quick: true,
		Nodes: 4, Down: 4, Loads: []Load{{Kind: deployment, Name: "web", N: 4}, alone}, Args: on("power-off"), Do: now(silence)},
}

var defaults = []Scenario{
	{Name: "classic-defaults", Shows: "the classic with all timers as they are", Plane: "defaults", NoZone: true, Master: true,
		Nodes: 3, Down: 1, Loads: classic(), Args: on("power-off"), Do: now(silence)},
	{Name: "reboot-200-defaults", Shows: "back after 200 s: nothing moves", Plane: "defaults",
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone, agent}, Args: on("reboot", "--back-after", "200s"), Do: then(silence, 200*s, boot)},
	{Name: "reboot-400-defaults", Shows: "back after 400 s: what was Terminating goes", Plane: "defaults",
		Nodes: 3, Down: 1, Loads: []Load{web, db, alone, agent}, Args: on("reboot", "--back-after", "400s"), Do: then(silence, 400*s, boot),
		Widths: Widths{Gone: "15s", Replaced: "detect+taint+2*lag"}},
	{Name: "two-nodes-defaults", Shows: "two nodes with all timers as they are", Plane: "defaults",
		Nodes: 5, Down: 2, Loads: []Load{{Kind: deployment, Name: "web", N: 2}, {Kind: statefulSet, Name: "db", N: 2}}, Args: on("power-off"), Do: now(silence),
		Widths: Widths{Deleted: "detect+taint+slot+lag"}},
}
