package simulate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/placement"
)

// act is what a user does about the nodes at the time of the evidence.
type act int

const (
	nothing act = iota
	deletePods
	forceDelete
)

// world is what all tellings have in common.
type world struct {
	snap *evidence.Snapshot
	sc   *Scenario
	set  settings
	act  act

	zero time.Time     // the wall clock's time of the event; zero: it has none
	at   time.Time     // the time to judge by
	now  time.Duration // that time, since the event
	made time.Duration // when the evidence was made at the latest: its own time may be known to the second only

	list     []*machine
	leftOut  []string // nodes of the scenario's group that are down already
	machines map[string]*machine
	pods     []*evidence.Pod // of the machines
	zones    map[string]*zone
	sets     map[evidence.Subject][]*evidence.Pod
	claims   map[string]*corev1.PersistentVolumeClaim
	volumes  map[string]*corev1.PersistentVolume
	board    func() (placement.Board, error) // made once, and never changed; nil: nobody looks for room
	holds    map[*evidence.Pod][]hold
}

// New makes the forecast. The error says what is wrong with the scenario for this cluster.
func New(s *evidence.Snapshot, sc Scenario) (*Forecast, error) {
	w, err := newWorld(s, &sc)
	if err != nil {
		return nil, err
	}
	f := w.tell()
	if sc.Event == AlreadyDown && len(w.pods) > 0 {
		f.Options = w.options()
	}
	return f, nil
}

func newWorld(s *evidence.Snapshot, sc *Scenario) (*world, error) {
	if err := sc.Check(); err != nil {
		return nil, err
	}
	flags, err := newManagerFlags(sc.ManagerFlags)
	if err != nil {
		return nil, err
	}
	w := &world{snap: s, sc: sc, set: newSettings(s, flags), at: sc.At, machines: map[string]*machine{}, holds: map[*evidence.Pod][]hold{}}
	if sc.Board != nil {
		w.board = sc.Board.Once(s)
	}
	if w.at.IsZero() {
		w.at = s.TakenAt()
	}
	nodes, err := w.chosen()
	if err != nil {
		return nil, err
	}
	switch sc.Event {
	case DeletePods:
		w.act = deletePods
	case ForceDelete:
		w.act = forceDelete
	}
	w.zero = w.at
	for _, n := range nodes {
		isDown := down(s, n, w.at)
		switch {
		case sc.Event == AlreadyDown && !isDown:
			return nil, fmt.Errorf("predict node %s: it is not down%s; say what happens to it with --event (%s)", n.Name, lastSign(s, n, w.at), eventNames())
		case sc.silences() && isDown:
			return nil, fmt.Errorf("predict %s of node %s: it is down already; leave --event out to see what comes next", sc.Event, n.Name)
		}
		if since := downSince(s, n, w.set); sc.Event == AlreadyDown && !since.IsZero() && since.Before(w.zero) {
			w.zero = since
		}
	}
	w.now = w.since(w.at)
	w.made = w.now
	if w.at.Nanosecond() == 0 && sc.Event == AlreadyDown { // another event comes after all that the evidence shows
		w.made += secondsOfAPI
	}
	for _, n := range nodes {
		m := w.newMachine(n)
		w.happen(m)
		w.list = append(w.list, m)
		w.machines[n.Name] = m
		w.pods = append(w.pods, m.pods...)
	}
	w.index()
	return w, nil
}

// chosen are the nodes of the scenario. Of a group those are left out that are down already.
func (w *world) chosen() ([]*evidence.Node, error) {
	var out []*evidence.Node
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(w.sc.Nodes, w.sc.Group)))) {
		n := w.snap.Node(name)
		switch {
		case n == nil:
			return nil, noNode(name)
		case w.sc.silences() && !slices.Contains(w.sc.Nodes, name) && down(w.snap, n, w.at):
			w.leftOut = append(w.leftOut, name)
		default:
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("predict %s of %s: all of them are down already; leave --event out to see what comes next", w.sc.Event, first(w.leftOut))
	}
	return out, nil
}

// index finds what belongs to the pods.
func (w *world) index() {
	d := w.snap.Data()
	w.claims, w.volumes = map[string]*corev1.PersistentVolumeClaim{}, map[string]*corev1.PersistentVolume{}
	for _, c := range d.Claims {
		w.claims[c.Namespace+"/"+c.Name] = c
	}
	for _, v := range d.Volumes {
		w.volumes[v.Name] = v
	}
	for _, p := range w.pods {
		w.holds[p] = w.holdsOf(p, w.machines[p.Node])
	}
	w.zones = w.newZones()
	w.sets = w.findSets()
}

// telling is one story with all its details.
type telling struct {
	courses  map[string]*course
	outcomes map[*evidence.Pod]*outcome
}

// follows tells all nodes and pods with one luck.
func (w *world) follows(l luck) telling {
	t := telling{map[string]*course{}, make(map[*evidence.Pod]*outcome, len(w.pods))}
	queue := &queues{managerFlags: &w.set.managerFlags}
	for _, m := range w.list {
		c := w.course(m, l)
		t.courses[m.name] = &c
		for _, p := range m.pods {
			t.outcomes[p] = w.follow(p, m, &c, l, queue)
		}
	}
	w.replace(l, t.courses, t.outcomes)
	for p, o := range t.outcomes {
		if w.machines[p.Node].deleted != never && o.deletedBy != nobody {
			o.unready = min(o.unready, o.ended)
		}
	}
	return t
}

// others are nodes that could take the pods: Ready, not cordoned, not of the scenario.
func (w *world) others() []*evidence.Node {
	var out []*evidence.Node
	for _, n := range w.snap.Data().Nodes {
		if w.machines[n.Name] == nil && n.Ready() == evidence.True && !n.Spec.Unschedulable {
			out = append(out, n)
		}
	}
	return out
}

// tell joins all tellings into the forecast.
func (w *world) tell() *Forecast {
	f := &Forecast{
		APIVersion: APIVersion, Kind: "Forecast", Event: w.sc.Event, Scenario: w.sc.says(), Source: w.snap.Data().Source.String(),
		Assumptions: w.assumptions(), Depends: w.depends(), Timeline: []Moment{}, Pods: []PodFate{}, Workloads: []WorkloadFate{},
		Never: []string{}, Options: []Option{}, Strays: w.strays(),
	}
	if !w.at.IsZero() {
		at := w.at
		f.TakenAt = &at
	}
	for _, m := range w.list {
		f.Nodes = append(f.Nodes, m.name)
	}
	f.Node = strings.Join(f.Nodes, ", ")
	if w.sc.Event == AlreadyDown && !w.zero.IsZero() {
		zero, now := w.zero, Duration(w.now)
		f.EventAt, f.Now = &zero, &now
	}
	j := w.join()
	w.place(j)
	for _, p := range w.pods {
		f.Pods = append(f.Pods, w.podFate(p, j.pods[p]))
	}
	f.Timeline = w.timeline(j)
	f.Workloads = w.workloads(j)
	f.Never = w.never(f)
	return f
}

// APIVersion of our values.
const APIVersion = "nodetriage.dev/v1alpha1"
