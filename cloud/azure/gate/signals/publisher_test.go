package signals

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/nodetriage/nodetriage/cloud/azure/gate"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/upgrade"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

const provider = "nodetriage.dev"

// server is an API server with the rules that matter here: a status is written only at the current version of its object.
type server struct {
	mu       sync.Mutex
	requests []health.HealthCheckRequest
	policies []upgrade.UpgradeGatePolicy
	signals  map[string]*health.HealthSignal
	version  int
	writes   int
	// stop is called before each write; an error is that of a process that was killed.
	stop func(write string) error
}

var errKilled = errors.New("killed")

func (s *server) Requests(context.Context) ([]health.HealthCheckRequest, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests), nil
}

func (s *server) Policies(context.Context) ([]upgrade.UpgradeGatePolicy, error) {
	return s.policies, nil
}

func (s *server) Signals(_ context.Context, of string) ([]health.HealthSignal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []health.HealthSignal
	for _, name := range slices.Sorted(maps.Keys(s.signals)) {
		if s.signals[name].Labels[health.ProviderLabel] == of {
			out = append(out, *s.signals[name].DeepCopy())
		}
	}
	return out, nil
}

func (s *server) write(what string) error {
	s.writes++
	s.version++
	if s.stop == nil {
		return nil
	}
	return s.stop(what)
}

func (s *server) Apply(_ context.Context, want *health.HealthSignal) (*health.HealthSignal, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.write("apply"); err != nil {
		return nil, err
	}
	stored := want.DeepCopy()
	if before := s.signals[want.Name]; before != nil {
		stored.Status = before.Status
	}
	stored.ResourceVersion = strconv.Itoa(s.version)
	s.signals[want.Name] = stored
	return stored.DeepCopy(), nil
}

func (s *server) SetStatus(_ context.Context, want *health.HealthSignal) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.write("status"); err != nil {
		return err
	}
	resource := schema.GroupResource{Group: health.Group, Resource: "healthsignals"}
	stored := s.signals[want.Name]
	switch {
	case stored == nil:
		return apierrors.NewNotFound(resource, want.Name)
	case stored.ResourceVersion != want.ResourceVersion:
		return apierrors.NewConflict(resource, want.Name, errors.New("the object has been modified"))
	}
	stored.Status = *want.Status.DeepCopy()
	stored.ResourceVersion = strconv.Itoa(s.version)
	return nil
}

// fleet are nodes with their judgements.
type fleet struct {
	mu    sync.Mutex
	nodes []Node
	sick  map[string]gate.Fault
	odd   map[string]bool // not Ready, without a known cause
	now   func() time.Time
}

func (f *fleet) List() []Node { return f.nodes }

func (f *fleet) Judge(_ context.Context, node string) gate.Judgement {
	f.mu.Lock()
	defer f.mu.Unlock()
	j := gate.Judgement{At: f.now(), Exists: evidence.False}
	if slices.ContainsFunc(f.nodes, func(n Node) bool { return n.Name == node }) {
		j.Exists, j.Ready, j.Lease, j.System = evidence.True, evidence.Known(!f.odd[node]), evidence.True, evidence.True
	}
	if fault, ok := f.sick[node]; ok {
		j.Faults = []gate.Fault{fault}
	}
	return j
}

type counter struct {
	mu        sync.Mutex
	published map[string]int
	late      int
}

func (c *counter) Published(status metav1.ConditionStatus, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.published[string(status)+" "+reason]++
}

func (c *counter) Late(n int) { c.late = n }

// world is a cluster during an upgrade.
type world struct {
	*server
	*fleet
	clock time.Time
}

func newWorld(nodes ...string) *world {
	w := &world{clock: time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)}
	w.server = &server{signals: map[string]*health.HealthSignal{}, policies: []upgrade.UpgradeGatePolicy{{
		Spec: upgrade.UpgradeGatePolicySpec{Provider: provider, Rules: []upgrade.UpgradeGateRule{{Target: upgrade.UpgradeGateTarget{Scope: upgrade.Cluster}}}},
	}}}
	w.fleet = &fleet{sick: map[string]gate.Fault{}, odd: map[string]bool{}, now: func() time.Time { return w.clock }}
	for _, n := range nodes {
		w.nodes = append(w.nodes, Node{Name: n, Pool: "user"})
	}
	return w
}

func (w *world) publisher() (*Publisher, *counter) {
	c := &counter{published: map[string]int{}}
	return New(w.server, w.fleet, Settings{Provider: provider}, c, func() time.Time { return w.clock }), c
}

// ask adds a request, as AKS does.
func (w *world) ask(name string, scope health.Scope, target string) *health.HealthCheckRequest {
	w.requests = append(w.requests, health.HealthCheckRequest{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid-" + name), CreationTimestamp: metav1.NewTime(w.clock), Annotations: map[string]string{health.Correlation: "one"}},
		Spec:       health.HealthCheckRequestSpec{Scope: scope, TargetRef: &health.TargetRef{Name: target}},
	})
	return &w.requests[len(w.requests)-1]
}

func (w *world) signal(request string) *health.HealthSignal {
	return w.signals[Name(request, types.UID("uid-"+request), provider)]
}

func (w *world) verdict(request string) string {
	s := w.signal(request)
	if s == nil {
		return "no signal"
	}
	a := said(s)
	return string(a.Status) + " " + a.Reason
}

func pass(t *testing.T, p *Publisher) {
	t.Helper()
	if err := p.Pass(t.Context(), true); err != nil {
		t.Fatal(err)
	}
}

var full = gate.Fault{Cause: "disk-full", Summary: "the disk is full", Certainty: triage.Certain}

func TestSignal(t *testing.T) {
	w := newWorld("n1", "n2")
	w.ask("r1", health.Node, "n1")
	w.ask("pool", health.NodePool, "user")
	w.ask("all", health.Cluster, "aks")
	p, count := w.publisher()
	pass(t, p)
	s := w.signal("r1")
	if s == nil || w.verdict("r1") != "True Healthy" || w.verdict("pool") != "Unknown NoSameFault" || w.verdict("all") != "Unknown NoSameFault" {
		t.Fatalf("r1: %s, pool: %s, all: %s", w.verdict("r1"), w.verdict("pool"), w.verdict("all"))
	}
	owner := s.OwnerReferences[0]
	if s.Labels[health.ProviderLabel] != provider || owner.UID != "uid-r1" || owner.Name != "r1" || owner.Kind != "HealthCheckRequest" || owner.APIVersion != "health.aks.io/v1alpha1" {
		t.Errorf("labels %v, owner %+v", s.Labels, owner)
	}
	if s.Spec.Type != health.NodeHealth || s.Spec.TargetRef.Name != "n1" || w.signal("pool").Spec.Type != health.NodePoolHealth || w.signal("all").Spec.Type != health.ClusterHealth {
		t.Errorf("spec %+v", s.Spec)
	}
	if len(s.Status.Conditions) != 1 {
		t.Errorf("%d conditions: AKS stops at any that is False", len(s.Status.Conditions))
	}
	writes := w.writes
	w.clock = w.clock.Add(time.Second)
	pass(t, p)
	other, _ := w.publisher()
	pass(t, other)
	if w.writes != writes {
		t.Errorf("nothing changed, and %d writes", w.writes-writes)
	}
	if count.published["True Healthy"] != 1 || count.published["Unknown NoSameFault"] != 2 {
		t.Errorf("counted %v", count.published)
	}
}

// A final verdict stays: AKS has read it, and a later False would stop the upgrade at another node.
func TestFinalStays(t *testing.T) {
	w := newWorld("n1", "n2")
	w.ask("r1", health.Node, "n1")
	p, _ := w.publisher()
	pass(t, p)
	w.sick["n1"] = full
	w.clock = w.clock.Add(time.Minute)
	other, _ := w.publisher()
	pass(t, p)
	pass(t, other)
	if w.verdict("r1") != "True Healthy" {
		t.Errorf("got %s", w.verdict("r1"))
	}
}

func TestUntilDeadline(t *testing.T) {
	w := newWorld("n1")
	w.odd["n1"] = true
	w.ask("r1", health.Node, "n1")
	w.ask("gone", health.Node, "n2")
	p, _ := w.publisher()
	pass(t, p)
	if w.verdict("r1") != "Unknown NodeNotReady" || w.verdict("gone") != "Unknown NodeNotFound" {
		t.Fatalf("r1: %s, gone: %s", w.verdict("r1"), w.verdict("gone"))
	}
	writes := w.writes
	for range 269 {
		w.clock = w.clock.Add(time.Second)
		pass(t, p)
	}
	if w.writes != writes || w.verdict("r1") != "Unknown NodeNotReady" {
		t.Errorf("31 s before the deadline: %s, %d writes for one reason", w.verdict("r1"), w.writes-writes)
	}
	w.clock = w.clock.Add(time.Second)
	pass(t, p)
	if w.verdict("r1") != "True NoFaultProven" || w.verdict("gone") != "True NoFaultProven" {
		t.Errorf("30 s before the deadline: r1: %s, gone: %s", w.verdict("r1"), w.verdict("gone"))
	}
}

func TestNothingToAnswer(t *testing.T) {
	w := newWorld("n1")
	w.sick["n1"] = full
	now := metav1.NewTime(w.clock)
	w.ask("deleted", health.Node, "n1").DeletionTimestamp = &now
	w.ask("old", health.Node, "n1").CreationTimestamp = metav1.NewTime(w.clock.Add(-upgrade.MaxTimeout))
	p, _ := w.publisher()
	pass(t, p)
	w.policies = nil // no policy, no gate
	w.ask("free", health.Node, "n1")
	pass(t, p)
	w.policies = []upgrade.UpgradeGatePolicy{{Spec: upgrade.UpgradeGatePolicySpec{Provider: "other.example.com", Rules: []upgrade.UpgradeGateRule{{Target: upgrade.UpgradeGateTarget{Scope: upgrade.Cluster}}}}}}
	pass(t, p)
	if len(w.signals) != 0 {
		t.Errorf("%d signals that no one waits for", len(w.signals))
	}
}

// A policy for one pool arms no verdict about the cluster.
func TestPoolOverCluster(t *testing.T) {
	w := newWorld("n1", "aks-other-12345678-vmss000000")
	w.odd["n1"], w.nodes[1].Pool = true, ""
	minute := upgrade.Duration("1m")
	w.policies[0].Spec.Rules = []upgrade.UpgradeGateRule{{Target: upgrade.UpgradeGateTarget{Scope: upgrade.NodePool, Name: "user"}, NodeTimeout: &minute}}
	w.ask("r1", health.Node, "n1")
	w.ask("other", health.Node, "aks-other-12345678-vmss000000")
	w.ask("all", health.Cluster, "aks")
	p, _ := w.publisher()
	pass(t, p)
	if w.signal("other") != nil || w.signal("all") != nil || w.verdict("r1") != "Unknown NodeNotReady" {
		t.Errorf("r1: %s, other: %s, all: %s", w.verdict("r1"), w.verdict("other"), w.verdict("all"))
	}
	w.policies[0].Spec.Rules = append(w.policies[0].Spec.Rules, upgrade.UpgradeGateRule{Target: upgrade.UpgradeGateTarget{Scope: upgrade.Cluster}})
	w.clock = w.clock.Add(30 * time.Second)
	pass(t, p)
	if w.verdict("r1") != "True NoFaultProven" {
		t.Errorf("the pool's minute overrides the cluster's five: got %s", w.verdict("r1"))
	}
}

// A second upgrade of the same node asks again, also with the name of a request that was deleted.
func TestTwoRequestsForANode(t *testing.T) {
	w := newWorld("n1")
	w.ask("r1", health.Node, "n1")
	p, _ := w.publisher()
	pass(t, p)
	w.sick["n1"] = full
	w.ask("r2", health.Node, "n1")
	w.ask("r1", health.Node, "n1").UID = "uid-again"
	pass(t, p)
	if w.verdict("r1") != "True Healthy" || w.verdict("r2") != "False CertainFault" {
		t.Errorf("r1: %s, r2: %s", w.verdict("r1"), w.verdict("r2"))
	}
	if again := w.signals[Name("r1", "uid-again", provider)]; again == nil || said(again).Status != metav1.ConditionFalse {
		t.Errorf("the new request with the old name got %v", again)
	}
}

// A signal with the wrong label does not count for AKS: it gets ours again, and keeps its verdict.
func TestWrongLabel(t *testing.T) {
	w := newWorld("n1")
	w.ask("r1", health.Node, "n1")
	p, _ := w.publisher()
	pass(t, p)
	w.signal("r1").Labels[health.ProviderLabel] = "other.example.com"
	w.sick["n1"] = full
	other, _ := w.publisher()
	pass(t, other)
	if got := w.signal("r1").Labels[health.ProviderLabel]; got != provider || w.verdict("r1") != "True Healthy" {
		t.Errorf("label %s, verdict %s", got, w.verdict("r1"))
	}
}

func TestOneImageIsBad(t *testing.T) {
	w := newWorld("n1", "n2", "n3", "n4")
	for i := range 3 {
		w.nodes[i].Image = "new"
		w.sick[w.nodes[i].Name] = full
	}
	w.nodes[3].Image = "old"
	w.ask("pool", health.NodePool, "user")
	w.ask("r1", health.Node, "n1") // n2 and n3 have the same image
	p, _ := w.publisher()
	pass(t, p)
	if w.verdict("pool") != "False SameFault" {
		t.Errorf("got %s", w.verdict("pool"))
	}
}

// A shared failure is on old nodes, too: no verdict of False.
func TestSharedFailure(t *testing.T) {
	w := newWorld()
	for i := range 10 {
		w.nodes = append(w.nodes, Node{Name: fmt.Sprintf("n%d", i), Pool: "user", Image: "old"})
		w.sick[w.nodes[i].Name] = full
	}
	w.nodes[0].Image = "new"
	w.ask("r0", health.Node, "n0")
	w.ask("pool", health.NodePool, "user")
	p, _ := w.publisher()
	pass(t, p)
	if w.verdict("r0") != "Unknown FaultShared" || w.verdict("pool") != "Unknown NoSameFault" {
		t.Errorf("r0: %s, pool: %s", w.verdict("r0"), w.verdict("pool"))
	}
}

// The process is killed at any write; the next one finishes.
func TestKilled(t *testing.T) {
	for kill := range 5 {
		w := newWorld("n1", "n2")
		w.sick["n2"] = full
		w.ask("r1", health.Node, "n1")
		w.ask("r2", health.Node, "n2")
		w.stop = func(string) error {
			if w.writes > kill {
				return errKilled
			}
			return nil
		}
		first, _ := w.publisher()
		if err := first.Pass(t.Context(), true); kill < 4 && !errors.Is(err, errKilled) {
			t.Fatalf("after %d writes: got error %v", kill, err)
		}
		w.stop = nil
		second, _ := w.publisher()
		pass(t, second)
		if w.verdict("r1") != "True Healthy" || w.verdict("r2") != "False CertainFault" || len(w.signals) != 2 {
			t.Errorf("killed after %d writes: r1: %s, r2: %s, %d signals", kill, w.verdict("r1"), w.verdict("r2"), len(w.signals))
		}
	}
}

// Two processes write at the same time, and see different nodes. The first verdict stays.
func TestTwoLeaders(t *testing.T) {
	for range 50 {
		w := newWorld("n1")
		w.ask("r1", health.Node, "n1")
		sees := &fleet{nodes: w.nodes, sick: map[string]gate.Fault{"n1": full}, now: w.fleet.now}
		one, count1 := w.publisher()
		two := New(w.server, sees, Settings{Provider: provider}, &counter{published: map[string]int{}}, func() time.Time { return w.clock })
		count2 := two.observer.(*counter)
		var wait sync.WaitGroup
		for _, p := range []*Publisher{one, two} {
			wait.Go(func() { pass(t, p) })
		}
		wait.Wait()
		first := w.verdict("r1")
		pass(t, one)
		pass(t, two)
		if w.verdict("r1") != first && first != " " {
			t.Fatalf("%s became %s", first, w.verdict("r1"))
		}
		if n := len(count1.published) + len(count2.published); n != 1 || len(w.signals) != 1 {
			t.Fatalf("%d verdicts, %d signals", n, len(w.signals))
		}
	}
}

// The clock of the API server is ahead of ours: the deadline is counted from when we saw the request.
func TestClockBehind(t *testing.T) {
	w := newWorld("n1")
	w.odd["n1"] = true
	w.ask("r1", health.Node, "n1").CreationTimestamp = metav1.NewTime(w.clock.Add(2 * time.Minute))
	p, _ := w.publisher()
	pass(t, p)
	w.clock = w.clock.Add(upgrade.MaxTimeout - gate.Margin)
	pass(t, p)
	if w.verdict("r1") != "True NoFaultProven" {
		t.Errorf("got %s", w.verdict("r1"))
	}
}

// A process that does not lead counts the requests that the leader leaves without a signal.
func TestLate(t *testing.T) {
	w := newWorld("n1")
	w.ask("r1", health.Node, "n1")
	follower, count := w.publisher()
	look := func() int {
		if err := follower.Pass(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		return count.late
	}
	if n := look(); n != 0 {
		t.Errorf("%d late at the begin", n)
	}
	w.clock = w.clock.Add(upgrade.MaxTimeout/2 + time.Second)
	if n := look(); n != 1 || w.writes != 0 {
		t.Errorf("%d late after half of the time, %d writes", n, w.writes)
	}
	leader, _ := w.publisher()
	pass(t, leader)
	if n := look(); n != 0 {
		t.Errorf("%d late after the answer", n)
	}
}

func TestName(t *testing.T) {
	long := Name(string(slices.Repeat([]byte("a"), 253)), "u", provider)
	if len(long) > 253 || Name("r", "u", provider) == Name("r", "v", provider) || Name("r", "u", provider) == Name("r", "u", "other") {
		t.Errorf("%d characters: %s", len(long), long)
	}
}
