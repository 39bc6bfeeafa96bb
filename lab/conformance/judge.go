//go:build unix

package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/nodetriage/nodetriage/lab"
)

// Result is the result of a scenario.
type Result struct {
	*Scenario
	Err   error   // it could not run
	First *Result // the result of the parallel run, if it ran again

	Pods, Fates, Replacements int // number of pods, and of pods with the right fate and replacement
	Times, Inside             int // number of times, and of times inside their interval
	Strays                    int // nodes that were tainted although their zone stopped, as predicted
	Widest, Allowed           time.Duration
	Late                      time.Duration // of the control plane, at most
	LostTurns                 int           // of the zone, because of that lag
	Wrong                     []string
}

// Right reports whether the whole forecast was right.
func (r *Result) Right() bool { return r.Err == nil && len(r.Wrong) == 0 && r.Pods > 0 }

func (r *Result) wrong(format string, args ...any) {
	r.Wrong = append(r.Wrong, fmt.Sprintf(format, args...))
}

// judge compares the observation with the forecast; base is the event.
type judge struct {
	*stage
	*Result
	forecast *Forecast
	base     time.Time // the event; earlier times count from the snapshot
	now      map[types.UID]podLog
	strays   map[string]bool
}

func (s *stage) judge(f *Forecast, base time.Time, r *Result) {
	j := &judge{s, r, f, base, map[types.UID]podLog{}, map[string]bool{}}
	for _, l := range s.plane.recorder.in(s.Name) {
		j.now[l.uid] = l
	}
	if f.Kind != "Forecast" {
		r.wrong("kind %q", f.Kind)
	}
	w := s.Widths.or()
	j.nodes(w)
	j.findStrays()
	on := 0
	for _, old := range s.pods {
		if s.goesDown(old.node) {
			on++
		}
	}
	if r.Pods = len(f.Pods); r.Pods != on {
		r.wrong("%d fates for %d pods", r.Pods, on)
	}
	for _, p := range f.Pods {
		i := slices.IndexFunc(s.pods, func(l podLog) bool { return l.name == p.Name && l.namespace == p.Namespace })
		if i < 0 {
			r.wrong("%s: no such pod", p.Name)
			continue
		}
		j.pod(p, s.pods[i], j.now[s.pods[i].uid], w)
	}
	j.replacements(w)
	if s.What != nil {
		j.workloads()
	}
}

// time compares one time that depends on that many controllers; possible: the event may not happen.
func (j *judge) time(what string, span *lab.Interval, seen *moment, possible bool, width string, hops int) {
	if span != nil {
		allowed, err := j.plane.allowed(width)
		if err != nil {
			j.Err = err
		}
		if span.Width() > allowed {
			j.wrong("%s: predicted %s, %s wide, and no more than %s is open (%s)", what, span, span.Width(), allowed, width)
		}
		if span.Width() >= j.Widest {
			j.Widest, j.Allowed = span.Width(), allowed
		}
	}
	switch {
	case span == nil && seen == nil, seen == nil && possible:
		return
	case seen == nil:
		j.Times++
		j.wrong("%s: predicted %s, never seen", what, span)
		return
	case span == nil:
		j.Times++
		j.wrong("%s: predicted never, seen after %s", what, seen.from.Sub(j.base).Round(time.Millisecond))
		return
	}
	j.Times++
	base := j.base
	if seen.to.Before(base) {
		base = j.past()
	}
	one := j.plane.lag.between(base, seen.to)
	j.Late = max(j.Late, one)
	late := time.Duration(hops) * one
	if j.forecast.EventAt == nil {
		late += j.took
	}
	if strings.Contains(width, "taint") {
		lost := j.plane.lostTurns(j.stage.nodes, j.base, seen.to)
		late += time.Duration(lost) * (j.plane.slot + j.plane.period)
		j.LostTurns = max(j.LostTurns, lost)
	}
	from, to := seen.from.Sub(base), seen.to.Sub(base)
	if to < time.Duration(span.From)-j.early() || from > time.Duration(span.To)+late {
		j.wrong("%s: predicted %s, seen after %s..%s (the control plane was %s late)", what, span,
			from.Round(time.Millisecond), to.Round(time.Millisecond), late.Round(time.Millisecond))
		return
	}
	j.Inside++
}

// early is how much earlier than predicted an event may happen that began before the snapshot, because the snapshot is
// older than the event.
func (j *judge) early() time.Duration {
	if len(j.stage.Before) == 0 || j.forecast.EventAt != nil {
		return 0
	}
	return max(0, j.base.Sub(j.forecast.TakenAt))
}

// past is the reference of times before the event.
func (j *judge) past() time.Time {
	if j.forecast.EventAt != nil {
		return *j.forecast.EventAt
	}
	return j.forecast.TakenAt
}

// before returns the start of the search for an event that was predicted in this span.
func (j *judge) before(span *lab.Interval) time.Time {
	if span == nil || span.From > 0 {
		return j.base
	}
	return j.past().Add(time.Duration(span.From) - time.Second)
}

func is(state string) func(string) bool  { return func(s string) bool { return s == state } }
func not(state string) func(string) bool { return func(s string) bool { return s != state } }

// nodes compares the states of the nodes.
func (j *judge) nodes(w Widths) {
	for _, m := range j.forecast.Timeline {
		if m.Subject.Kind != "Node" {
			continue
		}
		l, name := j.plane.recorder.of(m.Subject.Name), m.Subject.Name
		switch {
		case strings.HasPrefix(m.What, "Ready="):
			j.time(name+" not ready", &m.Interval, first(l.ready, j.before(&m.Interval), not("True")), m.Possible, w.NotReady, 1)
		case strings.Contains(m.What, ":NoExecute: the timers"):
			j.time(name+" NoExecute", &m.Interval, first(l.evicting, j.before(&m.Interval), not("")), m.Possible, w.Tainted, 2)
		case m.What == "Ready":
			j.time(name+" ready", &m.Interval, first(l.ready, j.base, is("True")), m.Possible, w.ReadyAgain, 1)
		case strings.HasPrefix(m.What, "the taint is gone"):
			j.time(name+" without NoExecute", &m.Interval, first(l.evicting, j.base, is("")), m.Possible, w.ReadyAgain+"+monitor", 2)
		}
	}
}

// findStrays counts the nodes that got their taint although only some were to get it.
func (j *judge) findStrays() {
	for _, s := range j.forecast.Strays {
		n := 0
		for _, name := range s.Nodes {
			if first(j.plane.recorder.of(name).evicting, j.base, not("")) != nil {
				j.strays[name] = true
				n++
			}
		}
		if n > s.UpTo {
			j.wrong("%d nodes got the taint, at most %d were to", n, s.UpTo)
		}
		j.Strays += n
	}
}

// pod compares the fate of one pod and its times.
func (j *judge) pod(p Fate, then, now podLog, w Widths) {
	mayStay := j.strays[then.node] && (p.Fate == "never-moves" || p.Fate == "stays")
	if fate := j.fate(then, now); fate == p.Fate || mayStay {
		j.Fates++
	} else {
		j.wrong("%s: predicted %s, it is %s", p.Name, p.Fate, fate)
	}
	if j.strays[then.node] {
		return // the node cannot be predicted
	}
	unready := first(now.ready, j.before(p.NotReadyAt), not("True"))
	if unready != nil && now.deleted != nil && !unready.to.Before(now.deleted.to) {
		unready = nil // its kubelet ended it
	}
	if p.NotReadyAt != nil || unready != nil && !then.ended {
		j.time(p.Name+" not ready", p.NotReadyAt, unready, now.deleted != nil, w.NotReady, 1)
	}
	j.time(p.Name+" deleted", p.DeletedAt, now.deleted, false, w.Deleted, 3)
	j.time(p.Name+" gone", p.GoneAt, now.gone, false, w.Gone, 4)
	if p.ReadyAgainAt != nil && unready != nil {
		j.again(p, first(now.ready, unready.from, is("True")))
	}
}

// again compares when a pod starts again on its node.
func (j *judge) again(p Fate, ready *moment) {
	if ready == nil || ready.to.Sub(j.base) < time.Duration(p.ReadyAgainAt.From) {
		j.wrong("%s: predicted to start again in %s, it is ready at %v", p.Name, p.ReadyAgainAt, ready)
	}
}

// fate returns the fate of a pod.
func (j *judge) fate(then, now podLog) string {
	l := j.plane.recorder.of(then.node)
	works := len(l.ready) > 0 && l.ready[len(l.ready)-1].to == "True" && !l.gone
	switch {
	case now.deleted == nil && works:
		return "stays"
	case now.deleted == nil:
		return "never-moves"
	case then.owner == "" && !then.ended:
		return "lost"
	case now.gone == nil:
		return "stuck-terminating"
	}
	return "evicted"
}

// place identifies a pod and its replacement.
func place(l podLog) string {
	switch kind, _, _ := strings.Cut(l.owner, "/"); kind {
	case "StatefulSet":
		return l.name
	case "DaemonSet":
		return l.owner + " " + l.node
	case "":
		return l.name
	}
	return l.owner
}

// replacements compares the new pods of each workload with the predicted ones, in the order of their times.
func (j *judge) replacements(w Widths) {
	made := j.made()
	expected, strays := j.expected()
	for key, list := range expected {
		slices.SortStableFunc(list, func(a, b Fate) int { return cmp.Compare(at(a), at(b)) })
		if !j.counted(key, list, len(made[key]), strays[key]) {
			continue
		}
		for i, p := range list {
			j.replacement(p, i, made[key], w)
		}
	}
	for key, list := range made {
		if expected[key] == nil {
			j.wrong("%s: %d new pods that were not predicted", key, len(list))
		}
	}
}

// made returns the new pods of each workload, without those that replaced others before the snapshot.
func (j *judge) made() map[string][]podLog {
	made, replaced := map[string][]podLog{}, map[string]int{}
	for _, l := range j.plane.recorder.in(j.stage.Name) {
		key := place(l)
		if !j.first[l.uid] {
			made[key] = append(made[key], l)
		} else if l.gone != nil && !slices.ContainsFunc(j.pods, func(p podLog) bool { return p.uid == l.uid }) {
			replaced[key]++
		}
	}
	for key, list := range made {
		if made[key] = list[min(replaced[key], len(list)):]; len(made[key]) == 0 {
			delete(made, key)
		}
	}
	return made
}

// expected returns the predicted pods of each workload, and how many of them may be among the strays.
func (j *judge) expected() (expected map[string][]Fate, strays map[string]int) {
	expected, strays = map[string][]Fate{}, map[string]int{}
	for _, p := range j.forecast.Pods {
		i := slices.IndexFunc(j.pods, func(l podLog) bool { return l.name == p.Name })
		if i < 0 {
			continue
		}
		key := place(j.pods[i])
		expected[key] = append(expected[key], p)
		if j.strays[j.pods[i].node] {
			strays[key]++
		}
	}
	return expected, strays
}

// counted reports whether a workload has as many new pods as predicted.
func (j *judge) counted(key string, list []Fate, got, strays int) bool {
	created, again := 0, false
	for _, p := range list {
		if p.Replacement.Kind == "created" {
			created++
		}
		again = again || strings.Contains(p.Replacement.Message, "again and again")
	}
	extra := got - created
	switch {
	case again && extra <= 0:
		j.wrong("%s: predicted new pods again and again, there are %d", key, got)
		return false
	case !again && (extra < 0 || extra > strays): // extra is 0 if all is as predicted
		j.wrong("%s: predicted %d new pods, there are %d", key, created, got)
		return false
	}
	return true
}

func at(p Fate) lab.Duration {
	if p.Replacement.At == nil {
		return lab.Duration(1<<63 - 1)
	}
	return p.Replacement.At.From
}

func (j *judge) replacement(p Fate, i int, new []podLog, w Widths) {
	before := len(j.Wrong)
	defer func() {
		if len(j.Wrong) == before {
			j.Replacements++
		}
	}()
	r := p.Replacement
	switch r.Kind {
	case "waits", "none":
		if r.At != nil {
			j.wrong("%s: replacement %s at %s", p.Name, r.Kind, r.At)
		}
		return
	case "created":
	default:
		j.wrong("%s: replacement kind %q", p.Name, r.Kind)
		return
	}
	created := new[i].created
	created.from = created.from.Add(-j.lowerStart(new[i]))
	j.time("replacement of "+p.Name, r.At, &created, false, w.Replaced, 4)
	switch unknown := r.Placement == "unknown" && !strings.HasPrefix(p.Owner, "DaemonSet/"); {
	case unknown != j.stage.Contested:
		j.wrong("replacement of %s: its place is predicted as %q (%s)", p.Name, r.Placement, r.Message)
	case r.Placement == "fits" && !new[i].bound:
		j.wrong("replacement of %s: predicted to fit on %d nodes, it has none", p.Name, r.Nodes)
	case r.Placement == "pending" && new[i].bound:
		j.wrong("replacement of %s: predicted to stay pending, it is on %s", p.Name, new[i].node)
	}
	j.volume(p, w)
}

// lowerStart returns the time until the new pods with lower ordinals were ready. An ordered StatefulSet waits for them,
// and no forecast can know this time.
func (j *judge) lowerStart(l podLog) time.Duration {
	var took time.Duration
	ordered := slices.ContainsFunc(j.stage.Loads, func(load Load) bool {
		return load.Kind == statefulSet && !load.Parallel && l.owner == "StatefulSet/"+load.Name
	})
	for _, lower := range j.plane.recorder.in(j.stage.Name) {
		if !ordered || j.first[lower.uid] || lower.owner != l.owner || lower.name >= l.name {
			continue
		}
		if ready := first(lower.ready, lower.created.from, is("True")); ready != nil {
			took += ready.to.Sub(lower.created.from)
		}
	}
	return took
}

// volume compares when the volume of a pod is detached from its old node.
func (j *judge) volume(p Fate, w Widths) {
	for _, l := range j.stage.Loads {
		if l.Volume.Name == "" || l.Volume.Shared || !strings.HasPrefix(p.Name, l.Name+"-") {
			continue
		}
		var seen *moment
		r := j.plane.recorder
		r.mu.Lock()
		if at, gone := r.detached[j.stage.Name+"-"+l.Volume.Name+" "+p.Node]; gone {
			seen = &moment{at, at}
		}
		r.mu.Unlock()
		j.time("volume of "+p.Name+" detached", p.Replacement.StartsAt, seen, false, w.Replaced+"+detach", 5)
	}
}

// belongs reports whether the pod is bound to its node (DaemonSet or static pod).
func (l *podLog) belongs() bool {
	return strings.HasPrefix(l.owner, "DaemonSet/") || strings.HasPrefix(l.owner, "Node/")
}
