package upgradegate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/dynamic"
)

// Longest is the longest time that AKS waits for a node.
const Longest = 5 * time.Minute

// correlation is the annotation that links a request to its upgrade.
const correlation = "kubernetes.azure.com/upgradeCorrelationID"

// Upgrade is an upgrade of a pool.
type Upgrade struct {
	Name, Pool string
	// Nodes are upgraded in this order, Surge of them at a time.
	Nodes []string
	Surge int
	// Cluster asks about the cluster, not about the pool.
	Cluster bool
	// Force skips the gate.
	Force bool
	// Pause is the time between two nodes.
	Pause time.Duration
	// Keep keeps the operation, its requests and signals at the end.
	Keep bool
}

// Result is how an upgrade ended.
type Result struct {
	Aborted bool
	// Why, and by whom, if it was aborted.
	Node, Provider, Reason string
	Nodes                  []NodeResult
}

// NodeResult is the wait for one node.
type NodeResult struct {
	Name     string
	UID      types.UID // of its request
	Asked    time.Time
	Deadline time.Time         // of the first provider
	Verdict  map[string]string // by provider: True, False, or "" without an answer at the deadline
	Reason   map[string]string
	Answered map[string]time.Time
}

// Asker is the side of AKS.
type Asker struct {
	client dynamic.Interface
	watch  *watcher
}

// NewAsker returns an asker that watches the signals until ctx ends.
func NewAsker(ctx context.Context, client dynamic.Interface) (*Asker, error) {
	w, err := watchSignals(ctx, client)
	return &Asker{client, w}, err
}

// Run upgrades the pool: for each node, it asks and waits for all providers that gate it, each until its own deadline.
//   - a node may go on when every provider says True;
//   - a False of one of these providers about the node, the pool or the cluster of this upgrade aborts at once;
//   - a provider without a True at its deadline aborts;
//   - a verdict about the pool or the cluster is not awaited.
func (a *Asker) Run(ctx context.Context, u Upgrade) (*Result, error) {
	id := string(uuid.NewUUID())
	operation, err := a.create(ctx, Operations, u.Name, id, nil, operationSpec(u))
	if err != nil {
		return nil, err
	}
	// AKS deletes the operation at its end. The garbage collector then deletes the requests and signals.
	defer func() {
		if u.Keep {
			return
		}
		_ = a.client.Resource(Operations).Delete(context.WithoutCancel(ctx), u.Name, metav1.DeleteOptions{})
	}()
	if u.Force {
		return &Result{}, nil
	}
	scope, target := "NodePool", u.Pool
	if u.Cluster {
		scope, target = "Cluster", "lab"
	}
	group, err := a.ask(ctx, operation, id, u.Name+"-"+target, scope, target)
	if err != nil {
		return nil, err
	}
	return a.all(ctx, u, operation, id, group)
}

// all asks about the nodes, as many at a time as the surge allows, until one aborts the upgrade.
func (a *Asker) all(ctx context.Context, u Upgrade, operation *unstructured.Unstructured, id string, group types.UID) (*Result, error) {
	running, stop := context.WithCancel(ctx)
	defer stop()
	var (
		wait    sync.WaitGroup
		mu      sync.Mutex
		out     Result
		failure error
		slots   = make(chan struct{}, max(u.Surge, 1))
	)
	for _, node := range u.Nodes {
		select {
		case slots <- struct{}{}:
		case <-running.Done():
		}
		if running.Err() != nil {
			break
		}
		wait.Go(func() {
			defer func() { <-slots }()
			n, stopped, err := a.node(running, u, operation, id, node, group)
			mu.Lock()
			defer mu.Unlock()
			if err != nil && running.Err() == nil {
				failure = err
				stop()
			}
			if n != nil {
				out.Nodes = append(out.Nodes, *n)
			}
			if stopped != nil && !out.Aborted {
				out.Aborted, out.Node, out.Provider, out.Reason = true, node, stopped.provider, stopped.reason
				stop()
			}
		})
		select {
		case <-time.After(u.Pause):
		case <-running.Done():
		}
	}
	wait.Wait()
	return &out, failure
}

// abort is why an upgrade stops.
type abort struct{ provider, reason string }

// node asks about one node and waits.
func (a *Asker) node(ctx context.Context, u Upgrade, operation *unstructured.Unstructured, id, node string, group types.UID) (*NodeResult, *abort, error) {
	limits, err := a.gates(ctx, u.Pool)
	if err != nil || len(limits) == 0 {
		return nil, nil, err // not gated
	}
	out := &NodeResult{Name: node, Asked: time.Now(), Verdict: map[string]string{}, Reason: map[string]string{}, Answered: map[string]time.Time{}}
	if out.UID, err = a.ask(ctx, operation, id, fmt.Sprintf("%s-%.8s", node, id), "Node", node); err != nil {
		return nil, nil, err
	}
	out.Deadline = out.Asked.Add(slices.Min(slices.Collect(maps.Values(limits))))
	for ctx.Err() == nil {
		changed, ofGroup := a.watch.next(out.UID), a.watch.next(group)
		if by := out.read(a.watch.of(out.UID), limits); by != nil {
			return out, by, nil
		}
		if by := refused(a.watch.of(group), limits); by != nil {
			return out, by, nil
		}
		left, late := out.waiting(limits, time.Now())
		switch {
		case late != "":
			return out, &abort{late, "HealthCheckTimeout"}, nil
		case left < 0:
			return out, nil, nil
		}
		select {
		case <-changed:
		case <-ofGroup:
		case <-time.After(left):
		case <-ctx.Done():
		}
	}
	return out, nil, nil
}

// refused returns the False of a provider that gates the upgrade, or nil.
func refused(signals map[string]verdict, limits map[string]time.Duration) *abort {
	for provider, s := range signals {
		if _, gates := limits[provider]; gates && s.status == "False" {
			return &abort{provider, s.reason}
		}
	}
	return nil
}

// read takes the verdicts about the node. A False aborts.
func (n *NodeResult) read(signals map[string]verdict, limits map[string]time.Duration) *abort {
	for provider := range limits {
		s, ok := signals[provider]
		if !ok || n.Verdict[provider] != "" {
			continue
		}
		switch s.status {
		case "True", "False":
			n.Verdict[provider], n.Reason[provider], n.Answered[provider] = s.status, s.reason, time.Now()
		}
		if s.status == "False" {
			return &abort{provider, s.reason}
		}
	}
	return nil
}

// waiting returns the time until the next deadline of a provider that has not said True; negative: all have. late is a provider whose
// deadline is over.
func (n *NodeResult) waiting(limits map[string]time.Duration, now time.Time) (left time.Duration, late string) {
	left = -1
	for provider, limit := range limits {
		if n.Verdict[provider] == "True" {
			continue
		}
		d := n.Asked.Add(limit).Sub(now)
		if d <= 0 {
			return 0, provider
		}
		if left < 0 || d < left {
			left = d
		}
	}
	return left, ""
}

// ask creates a request and returns its UID.
func (a *Asker) ask(ctx context.Context, operation *unstructured.Unstructured, id, name, scope, target string) (types.UID, error) {
	r, err := a.create(ctx, Requests, name, id, operation, map[string]any{"scope": scope, "targetRef": map[string]any{"name": target}})
	if err != nil {
		return "", err
	}
	return r.GetUID(), nil
}

var kinds = map[string]string{Operations.Resource: "UpgradeOperation", Requests.Resource: "HealthCheckRequest"}

func (a *Asker) create(ctx context.Context, resource schema.GroupVersionResource, name, id string, owner *unstructured.Unstructured, spec any) (*unstructured.Unstructured, error) {
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": resource.GroupVersion().String(), "kind": kinds[resource.Resource], "spec": spec}}
	o.SetName(name)
	o.SetAnnotations(map[string]string{correlation: id, "kubernetes.azure.com/targetKubernetesVersion": "1.36.3"})
	if owner != nil {
		o.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: owner.GetAPIVersion(), Kind: owner.GetKind(), Name: owner.GetName(), UID: owner.GetUID()}})
	}
	created, err := a.client.Resource(resource).Create(ctx, o, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("create %s %s: %w", o.GetKind(), name, err)
	}
	return created, nil
}

func operationSpec(u Upgrade) any {
	kind, name := "NodePool", u.Pool
	if u.Cluster {
		kind, name = "Cluster", "lab"
	}
	return []any{map[string]any{"type": kind, "targetNames": []any{name}}}
}
