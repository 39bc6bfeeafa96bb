package signals

import (
	"cmp"
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/nodetriage/nodetriage/cloud/azure/gate"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/upgrade"
	"github.com/nodetriage/nodetriage/evidence"
)

// view is the state of all requests at one time.
type view struct {
	at       time.Time
	requests []*request
	nodes    []Node
}

// request is one request with what was answered.
type request struct {
	*health.HealthCheckRequest
	gate.Request
	version  string      // the API version of the request
	said     gate.Answer // zero: nothing
	signaled bool        // there is a signal of ours
}

// Target returns the name of the object in question.
func (r *request) Target() string { return r.HealthCheckRequest.Target() }

func (p *Publisher) view(ctx context.Context) (*view, error) {
	requests, err := p.api.Requests(ctx)
	if err != nil {
		return nil, err
	}
	policies, err := p.api.Policies(ctx)
	if err != nil {
		return nil, err
	}
	signals, err := p.api.Signals(ctx, p.settings.Provider)
	if err != nil {
		return nil, err
	}
	byName := make(map[string]*health.HealthSignal, len(signals))
	for i := range signals {
		byName[signals[i].Name] = &signals[i]
	}
	v := &view{at: p.now(), nodes: p.nodes.List()}
	pools := make(map[string]string, len(v.nodes))
	for _, n := range v.nodes {
		pools[n.Name] = n.Pool
	}
	seen := make(map[types.UID]time.Time, len(requests))
	for i := range requests {
		r := p.request(&requests[i], policies, pools, v.at)
		seen[r.UID] = p.firstSeen(r.UID, v.at)
		if s := byName[Name(r.Name, r.UID, p.settings.Provider)]; s != nil {
			r.signaled, r.said = true, said(s)
		}
		v.requests = append(v.requests, r)
	}
	p.forget(seen)
	for _, r := range v.requests {
		p.recall(r)
	}
	return v, nil
}

// request completes a request by what the policies say about it.
func (p *Publisher) request(r *health.HealthCheckRequest, policies []upgrade.UpgradeGatePolicy, pools map[string]string, now time.Time) *request {
	out := &request{HealthCheckRequest: r, version: cmp.Or(r.APIVersion, health.Group+"/v1alpha1")}
	out.Request = gate.Request{Scope: r.Spec.Scope, Deleted: r.DeletionTimestamp != nil, Begun: r.CreationTimestamp.Time}
	if first := p.firstSeen(r.UID, now); first.Before(out.Begun) {
		out.Begun = first
	}
	pool := ""
	switch r.Spec.Scope {
	case health.NodePool:
		pool = r.Target()
	case health.Node:
		pool = cmp.Or(pools[r.Target()], poolOfName(r.Target()))
	case health.Cluster:
		// A rule for some pool gates nothing that a verdict about the cluster may stop.
		policies = clusterRules(policies)
	}
	out.Timeout, out.Gated = gate.Timeout(policies, p.settings.Provider, pool)
	return out
}

// poolOfName returns the pool in the name of a node that is not registered, or "".
func poolOfName(node string) string {
	n := evidence.Node{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node}}}
	return n.PoolOfName()
}

func clusterRules(policies []upgrade.UpgradeGatePolicy) []upgrade.UpgradeGatePolicy {
	out := make([]upgrade.UpgradeGatePolicy, 0, len(policies))
	for _, p := range policies {
		p.Spec.Rules = slices.DeleteFunc(slices.Clone(p.Spec.Rules), func(r upgrade.UpgradeGateRule) bool { return r.Target.Scope != upgrade.Cluster })
		out = append(out, p)
	}
	return out
}

// firstSeen returns when a request was first seen.
func (p *Publisher) firstSeen(request types.UID, now time.Time) time.Time {
	if t, ok := p.seen[request]; ok {
		return t
	}
	return now
}

// forget keeps what is remembered of these requests only.
func (p *Publisher) forget(seen map[types.UID]time.Time) {
	p.seen = seen
	p.mu.Lock()
	defer p.mu.Unlock()
	for uid := range p.said {
		if _, ok := seen[uid]; !ok {
			delete(p.said, uid)
		}
	}
}

// recall uses what this process has written if the cache does not show it yet.
func (p *Publisher) recall(r *request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a, ok := p.said[r.UID]; ok && !r.said.Final() {
		r.signaled, r.said = true, a
	}
}

// open returns the requests that may need a write, the first deadline first.
func (v *view) open() []*request {
	var out []*request
	for _, r := range v.requests {
		if !r.said.Final() && !r.Over(v.at) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b *request) int { return a.Deadline().Compare(b.Deadline()) })
	return out
}

// late counts the node requests without a signal after half of their time.
func (v *view) late() int {
	n := 0
	for _, r := range v.requests {
		half := r.Begun.Add(r.Timeout / 2)
		if r.Scope == health.Node && !r.signaled && !r.Over(v.at) && v.at.After(half) {
			n++
		}
	}
	return n
}

// decide returns the answer to a request.
func (v *view) decide(ctx context.Context, p *Publisher, r *request) gate.Answer {
	if r.Scope == health.Node {
		j := p.nodes.Judge(ctx, r.Target())
		var old []gate.Judgement
		if j.Certain() {
			_, old = v.judge(ctx, p, r)
		}
		return gate.Node(r.Request, j, old, p.now(), p.settings.OnDeadline)
	}
	fresh, old := v.judge(ctx, p, r)
	return gate.Group(r.Request, fresh, old, p.now())
}

// judge returns the judgements of the nodes that the upgrade of the request has replaced, as far as the request is about them, and of all
// nodes that it has not replaced.
func (v *view) judge(ctx context.Context, p *Publisher, r *request) (fresh, old []gate.Judgement) {
	replaced, images := v.replaced(r)
	for _, n := range v.nodes {
		isNew := replaced[n.Name] || n.Image != "" && images[n.Image]
		switch {
		case !isNew:
			old = append(old, p.nodes.Judge(ctx, n.Name))
		case r.Scope != health.NodePool || n.Pool == r.Target():
			fresh = append(fresh, p.nodes.Judge(ctx, n.Name))
		}
	}
	return fresh, old
}

// replaced returns the nodes about which AKS asks in the upgrade of a request, and their images: AKS asks when a node is replaced.
func (v *view) replaced(r *request) (nodes, images map[string]bool) {
	nodes, images = map[string]bool{}, map[string]bool{}
	for _, other := range v.requests {
		if other.Scope == health.Node && other.Annotations[health.Correlation] == r.Annotations[health.Correlation] {
			nodes[other.Target()] = true
		}
	}
	for _, n := range v.nodes {
		if nodes[n.Name] && n.Image != "" {
			images[n.Image] = true
		}
	}
	return nodes, images
}
