package predict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// userAct is an action of a user on the nodes at the time of the evidence.
type userAct int

const (
	nothing userAct = iota
	deletePods
	forceDelete
)

// simulation is the common state of all runs.
type simulation struct {
	snap *evidence.Snapshot
	sc   *Scenario
	set  settings
	act  userAct

	zero time.Time     // the clock time of the event; zero: unknown
	at   time.Time     // the time to judge by
	now  time.Duration // that time, since the event
	made time.Duration // the latest time at which the evidence was taken, which may be truncated to seconds

	list    []*simNode
	leftOut []string // nodes of the scenario's group that are down already
	nodes   map[string]*simNode
	pods    []*evidence.Pod // of the nodes
	zones   map[string]*zone
	sets    map[evidence.Subject][]*evidence.Pod
	claims  map[string]*corev1.PersistentVolumeClaim
	volumes map[string]*corev1.PersistentVolume
	board   func() (placement.Board, error) // created once, and never changed; nil: placement is not checked
	ties    map[*evidence.Pod][]tie
}

// New returns the forecast. The error describes what is wrong with the scenario for this cluster.
func New(s *evidence.Snapshot, sc Scenario) (*Forecast, error) {
	sim, err := newSimulation(s, &sc)
	if err != nil {
		return nil, err
	}
	f := sim.forecast()
	if sc.Event == AlreadyDown && len(sim.pods) > 0 {
		f.Options = sim.options()
	}
	return f, nil
}

func newSimulation(s *evidence.Snapshot, sc *Scenario) (*simulation, error) {
	if err := sc.Check(); err != nil {
		return nil, err
	}
	flags, err := newManagerFlags(sc.ManagerFlags)
	if err != nil {
		return nil, err
	}
	sim := &simulation{snap: s, sc: sc, set: newSettings(s, flags), at: sc.At, nodes: map[string]*simNode{}, ties: map[*evidence.Pod][]tie{}}
	if sc.Board != nil {
		sim.board = sc.Board.Once(s)
	}
	if sim.at.IsZero() {
		sim.at = s.TakenAt()
	}
	nodes, err := sim.chosen()
	if err != nil {
		return nil, err
	}
	switch sc.Event {
	case DeletePods:
		sim.act = deletePods
	case ForceDelete:
		sim.act = forceDelete
	}
	if err := sim.begin(nodes); err != nil {
		return nil, err
	}
	sim.now = sim.since(sim.at)
	sim.made = sim.now
	if sim.at.Nanosecond() == 0 && sc.Event == AlreadyDown { // another event is after everything in the evidence
		sim.made += secondsOfAPI
	}
	for _, n := range nodes {
		m := sim.newNode(n)
		sim.applyEvent(m)
		sim.list = append(sim.list, m)
		sim.nodes[n.Name] = m
		sim.pods = append(sim.pods, m.pods...)
	}
	sim.index()
	return sim, nil
}

// begin sets the time of the event, and rejects an event that the nodes' state excludes. For nodes that are down already, it is
// when the first of them failed.
func (sim *simulation) begin(nodes []*evidence.Node) error {
	s, event := sim.snap, sim.sc.Event
	sim.zero = sim.at
	for _, n := range nodes {
		isDown := down(s, n, sim.at)
		switch {
		case event == AlreadyDown && !isDown:
			return fmt.Errorf("node %s is not down%s; choose an event with --event (%s)", n.Name, lastSign(s, n, sim.at), eventNames())
		case sim.sc.Event.Silences() && isDown:
			return fmt.Errorf("cannot simulate %s of node %s: it is already down; omit --event to see what happens next", event, n.Name)
		}
		if since := downSince(s, n, sim.set); event == AlreadyDown && !since.IsZero() && since.Before(sim.zero) {
			sim.zero = since
		}
	}
	return nil
}

// chosen returns the nodes of the scenario, without nodes of the group that are down already.
func (sim *simulation) chosen() ([]*evidence.Node, error) {
	var out []*evidence.Node
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(sim.sc.Nodes, sim.sc.Group)))) {
		n := sim.snap.Node(name)
		switch {
		case n == nil:
			return nil, &evidence.AbsentError{What: "node", Name: name}
		case sim.sc.Event.Silences() && !slices.Contains(sim.sc.Nodes, name) && down(sim.snap, n, sim.at):
			sim.leftOut = append(sim.leftOut, name)
		default:
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("cannot simulate %s of %s: already down; omit --event to see what happens next", sim.sc.Event, firstNames(sim.leftOut))
	}
	return out, nil
}

// index finds the objects that belong to the pods.
func (sim *simulation) index() {
	d := sim.snap.Data()
	sim.claims, sim.volumes = map[string]*corev1.PersistentVolumeClaim{}, map[string]*corev1.PersistentVolume{}
	for _, c := range d.Claims {
		sim.claims[c.Namespace+"/"+c.Name] = c
	}
	for _, v := range d.Volumes {
		sim.volumes[v.Name] = v
	}
	for _, p := range sim.pods {
		sim.ties[p] = sim.tiesOf(p, sim.nodes[p.Node])
	}
	sim.zones = sim.newZones()
	sim.sets = sim.findOrderedSets()
}

// run is the detailed result of one run.
type run struct {
	timelines map[string]*nodeTimeline
	outcomes  map[*evidence.Pod]*outcome
}

// run simulates all nodes and pods with these extremes.
func (sim *simulation) run(x extremes) run {
	t := run{map[string]*nodeTimeline{}, make(map[*evidence.Pod]*outcome, len(sim.pods))}
	queue := &queues{managerFlags: &sim.set.managerFlags}
	for _, m := range sim.list {
		c := sim.nodeTimeline(m, x)
		t.timelines[m.name] = &c
		for _, p := range m.pods {
			t.outcomes[p] = sim.followPod(p, m, &c, x, queue)
		}
	}
	sim.replace(x, t.timelines, t.outcomes)
	for p, o := range t.outcomes {
		if sim.nodes[p.Node].deleted != never && o.deletedBy != noCause {
			o.unready = min(o.unready, o.ended)
		}
	}
	return t
}

// others returns nodes that could run the pods: Ready, not cordoned, not in the scenario.
func (sim *simulation) others() []*evidence.Node {
	var out []*evidence.Node
	for _, n := range sim.snap.Data().Nodes {
		if sim.nodes[n.Name] == nil && n.Ready() == evidence.True && !n.Spec.Unschedulable {
			out = append(out, n)
		}
	}
	return out
}

// rests are the kinds that a forecast needs.
var rests = []evidence.Kind{
	evidence.Nodes, evidence.Leases, evidence.Pods, evidence.PDBs, evidence.Workloads, evidence.Claims, evidence.Volumes,
	evidence.VolumeAttachments, evidence.CSINodes, evidence.PriorityClasses, evidence.StorageClasses, evidence.CSIDrivers,
	evidence.StorageCapacities, evidence.Namespaces, evidence.Policies, evidence.Mutations, evidence.Webhooks,
}

// forecast combines all runs.
func (sim *simulation) forecast() *Forecast {
	f := &Forecast{
		APIVersion: evidence.APIVersion, Kind: "Forecast", Event: sim.sc.Event, Scenario: sim.sc.words(), Source: sim.snap.Data().Source.String(),
		Assumptions: sim.assumptions(), Depends: sim.depends(), Timeline: []Moment{}, Pods: []PodFate{}, Workloads: []WorkloadFate{},
		Never: []string{}, Options: []Option{}, Strays: sim.strays(), NotChecked: sim.snap.Incomplete(rests...),
	}
	if !sim.at.IsZero() {
		at := sim.at
		f.TakenAt = &at
	}
	f.Nodes = sim.names()
	f.Node = strings.Join(f.Nodes, ", ")
	if sim.sc.Event == AlreadyDown && !sim.zero.IsZero() {
		zero, now := sim.zero, plan.Duration(sim.now)
		f.EventAt, f.Now = &zero, &now
	}
	j := sim.join()
	sim.place(j)
	for _, p := range sim.pods {
		f.Pods = append(f.Pods, sim.podFate(p, j.pods[p]))
	}
	f.Timeline = sim.timeline(j)
	f.Workloads = sim.workloads(j)
	f.Never = sim.never(f)
	f.Act = sim.acts(f)
	return f
}
