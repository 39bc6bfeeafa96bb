//go:build unix

package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// Random returns random scenarios: clusters, workloads and events. The name of a scenario contains its seed and number,
// which reproduce it.
func Random(seed uint64, first, n int) []*Scenario {
	var out []*Scenario
	for i := range n {
		out = append(out, random(seed, first+i))
	}
	return out
}

func random(seed uint64, i int) *Scenario {
	c := chance{rand.New(rand.NewPCG(seed, uint64(i)))}
	s := &Scenario{Name: fmt.Sprintf("random-%d-%d", seed, i), Plane: "short", Nodes: 3 + c.IntN(6), Zones: 1 + c.IntN(3)}
	s.Down = 1 + c.IntN(min(3, s.Nodes-1))
	if s.Zones > 1 && c.one(5) {
		s.By, s.Down = "--zone", (s.Nodes+s.Zones-1)/s.Zones
	}
	e := oneOf(c, incidents...)
	if e.single {
		s.By, s.Down = "", 1
	}
	for range 2 + c.IntN(4) {
		s.Loads = append(s.Loads, c.load(s, &e))
	}
	s.Loads = append(s.Loads, agent) // so that no node is empty
	e.happens(s)
	if slices.ContainsFunc(s.Loads, func(l Load) bool { return l.Stops != "" }) {
		s.Before = append([]Step{{0, deleteSlow}, {3 * time.Second, nothing}}, s.Before...)
	}
	s.Shows = s.describe(e.name)
	return s
}

type chance struct{ *rand.Rand }

// one is true once in n times.
func (c chance) one(n int) bool { return c.IntN(n) == 0 }

func oneOf[T any](c chance, list ...T) T { return list[c.IntN(len(list))] }

// load returns a workload that fits the scenario and its event.
func (c chance) load(s *Scenario, e *incident) Load {
	l := Load{Name: string(rune('a' + len(s.Loads))), N: int32(1 + c.IntN(4)), Tolerations: c.tolerations(e)}
	l.Kind = oneOf(c, deployment, deployment, deployment, statefulSet, statefulSet, replicaSet, daemonSet, job, naked, static)
	l.Grace = oneOf[int64](c, 0, 0, 1, 5, 45)
	l.Finalizer = c.one(10)
	if c.one(6) && l.Kind != static {
		l.Class = "system-node-critical"
	}
	switch l.Kind {
	case naked:
		l.Done = c.one(4)
		return l
	case daemonSet:
		l.Tolerations = oneOf(c, nil, proxy.Tolerations)
		return l
	case static:
		return l
	case statefulSet:
		l.Parallel = c.one(2)
	case job:
		c.job(&l, e)
	}
	if c.one(3) {
		l.MinHealthy = 1 + int32(c.IntN(int(l.N)))
	}
	c.place(&l, s, e)
	return l
}

// job chooses when a Job replaces its pods.
func (c chance) job(l *Load, e *incident) {
	l.Replacement = oneOf(c, "", batchv1.TerminatingOrFailed)
	if !e.working && !e.returns && c.one(2) {
		l.Replacement = batchv1.Failed // a pod that a kubelet ends has succeeded here
	}
	l.Backoff = oneOf[int32](c, 0, 0, 0, -1)
}

// place chooses what decides where the pods run, or a long time to end.
func (c chance) place(l *Load, s *Scenario, e *incident) {
	choice := c.IntN(8)
	l.Everywhere = choice < 6
	switch choice {
	case 0:
		l.Alone = true
		if l.N = int32(s.Nodes); l.Kind == deployment && !e.returns && !e.working && c.one(2) {
			l.N, l.Unplaced = l.N+1, 1
		}
	case 1:
		l.InZone = true
	case 2:
		l.Together = true
	case 3:
		l.Spread = oneOf(c, corev1.LabelHostname, corev1.LabelTopologyZone)
	case 6:
		c.stopSlowly(l, e)
	}
}

// stopSlowly gives pods that are replaced one by one a long time to end, if the node does not return.
func (c chance) stopSlowly(l *Load, e *incident) {
	if e.returns || l.Kind != deployment && l.Kind != statefulSet {
		return
	}
	l.Grace, l.Stops = 600, "10m"
	if e.working {
		l.Grace = 60 // the scenario waits for it
	}
}

// tolerations returns the tolerations of pods, so that the event decides their fate, and not the random choice.
func (c chance) tolerations(e *incident) []corev1.Toleration {
	var out []corev1.Toleration
	if c.one(6) {
		out = append(out, tolerate(keptByNode, oneOf[int64](c, 0, 3, 15, -1)))
	}
	if c.one(10) {
		out = append(out, tolerate("", oneOf[int64](c, e.tolerated...)))
	}
	if seconds := oneOf[int64](c, e.tolerated...); seconds != shortSeconds {
		out = append(out, lost(seconds)...)
	}
	return out
}

// describe describes the scenario.
func (s *Scenario) describe(event string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %d of %d nodes in %d zones%s", event, s.Down, s.Nodes, s.Zones, strings.Replace(s.By, "--", ", a ", 1))
	for _, l := range s.Loads {
		fmt.Fprintf(&b, "; %s", &l)
	}
	return b.String()
}

// String lists the special properties of the load.
func (l *Load) String() string {
	out := fmt.Sprintf("%s %s", l.Kind, l.Name)
	say := func(is bool, format string, args ...any) {
		if is {
			out += " " + fmt.Sprintf(format, args...)
		}
	}
	say(l.N > 1, "of %d", l.N)
	say(l.Everywhere, "anywhere")
	for _, t := range l.Tolerations {
		end := "forever"
		if t.TolerationSeconds != nil {
			end = fmt.Sprint(*t.TolerationSeconds, " s")
		}
		say(true, "tolerates %q %s", t.Key, end)
	}
	say(l.Grace > 0, "grace %d s", l.Grace)
	say(l.Stops != "", "dying")
	say(l.Finalizer, "finalizer")
	say(l.Parallel, "parallel")
	say(l.Class != "", "%s", l.Class)
	say(l.Replacement != "", "replaces %s", l.Replacement)
	say(l.Backoff < 0, "no tries")
	say(l.MinHealthy > 0, "budget %d", l.MinHealthy)
	say(l.Alone, "alone")
	say(l.InZone, "in the zone")
	say(l.Together, "together")
	say(l.Spread != "", "spread by %s", l.Spread)
	say(l.Unplaced > 0, "%d without a place", l.Unplaced)
	say(l.Done, "ended")
	return out
}
