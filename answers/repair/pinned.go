package repair

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// Pinned is a pod that fits on no node outside the pool.
type Pinned struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Node      string `json:"node,omitempty"` // its node; empty: it is Pending already
	By        string `json:"by"`             // selector, affinity, scheduler
	Asks      string `json:"asks"`           // the requirement; for scheduler, its message
}

// pinned finds the pods that stay Pending after the pool is deleted.
func (r *repairer) pinned() *Gate {
	if r.opt.Action != cloud.DeletePool {
		return nil
	}
	g := &Gate{Name: GatePinned, State: Passed, Why: "every pod of the pool can run on the remaining nodes", asks: true}
	if !r.s.Read(evidence.Pods) || !r.s.Read(evidence.Nodes) {
		g.State, g.Why = Unjudged, "pods or nodes were not read"
		return g
	}
	stay := r.others()
	var closed []string
	var ask []*evidence.Pod
	unsure := 0
	for _, n := range r.nodes {
		closed = append(closed, n.Name)
		for _, p := range r.moving(n) {
			switch {
			case p.Spec == nil || p.Partial:
				unsure++
			case !r.pin(p, stay) && p.Owner != (evidence.Owner{}):
				ask = append(ask, p)
			}
		}
	}
	for _, p := range r.s.PodsOn("") {
		if r.waitsForPool(p) {
			r.pin(p, stay)
		}
	}
	unsure += r.place(ask, closed)
	switch {
	case len(r.plan.Pinned) > 0:
		g.State, g.Why = Refused, wording.Count(len(r.plan.Pinned), "pod")+" would stay Pending"
		g.How = "change their requirements, or add a matching pool"
	case r.s.Covers(evidence.Nodes) != evidence.Complete:
		g.State, g.Why = Unjudged, "not all nodes were read"
	case unsure > 0:
		g.State, g.Why = Unjudged, "the placement of "+wording.Count(unsure, "pod")+" is unknown"
	}
	return g
}

// waitsForPool reports whether the pod is Pending and a node of the pool matches its requirements.
func (r *repairer) waitsForPool(p *evidence.Pod) bool {
	return p.Phase == corev1.PodPending && p.Spec != nil && anyAllows(r.nodes, p)
}

// anyAllows reports whether one of the nodes matches the pod's selector and affinity.
func anyAllows(nodes []*evidence.Node, p *evidence.Pod) bool {
	return slices.ContainsFunc(nodes, func(n *evidence.Node) bool { return mechanics.Allows(p.Spec, n.Node) })
}

func (r *repairer) others() []*evidence.Node {
	var out []*evidence.Node
	for _, n := range r.s.Data().Nodes {
		if !slices.Contains(r.nodes, n) {
			out = append(out, n)
		}
	}
	return out
}

// pin records the pod if no remaining node matches its requirements.
func (r *repairer) pin(p *evidence.Pod, stay []*evidence.Node) bool {
	if anyAllows(stay, p) {
		return false
	}
	by, asks := asksFor(p.Spec)
	if by == "" {
		return false // it accepts any node, and there is none
	}
	r.plan.Pinned = append(r.plan.Pinned, Pinned{Namespace: p.Namespace, Name: p.Name, Node: p.Node, By: by, Asks: asks})
	return true
}

// asksFor returns the node requirements of a pod.
func asksFor(spec *corev1.PodSpec) (by, asks string) {
	var words []string
	for _, k := range slices.Sorted(maps.Keys(spec.NodeSelector)) {
		words = append(words, k+"="+spec.NodeSelector[k])
		by = "selector"
	}
	if required := mechanics.RequiredAffinity(spec); required != nil {
		var terms []string
		for _, t := range required.NodeSelectorTerms {
			var each []string
			for _, e := range append(slices.Clone(t.MatchExpressions), t.MatchFields...) {
				each = append(each, strings.TrimSpace(fmt.Sprintf("%s %s %s", e.Key, e.Operator, strings.Join(e.Values, ","))))
			}
			terms = append(terms, strings.Join(each, " and "))
		}
		words = append(words, strings.Join(terms, " or "))
		if by == "" {
			by = "affinity"
		}
	}
	return by, strings.Join(words, ", ")
}

// place runs the scheduler for the pods that are not pinned by requirements, and returns the number of unknown results.
func (r *repairer) place(pods []*evidence.Pod, closed []string) (unknown int) {
	if r.opt.Board == nil || len(pods) == 0 {
		return len(pods)
	}
	// Pods with pod affinity come last, because the pods they refer to may be in the same pool.
	slices.SortStableFunc(pods, func(a, b *evidence.Pod) int { return cmp.Compare(placement.Nearness(a), placement.Nearness(b)) })
	for i, answer := range placement.Evacuate(r.withoutPool, pods, closed) {
		switch p := pods[i]; answer.Verdict {
		case placement.Pending:
			r.plan.Pinned = append(r.plan.Pinned, Pinned{Namespace: p.Namespace, Name: p.Name, Node: p.Node, By: "scheduler", Asks: answer.Message})
		case placement.Unknown:
			unknown++
		}
	}
	return unknown
}

// withoutPool returns a board without the nodes of the pool, their zones and their pods.
func (r *repairer) withoutPool() (placement.Board, error) {
	b, err := r.opt.Board(r.s)
	if err != nil {
		return nil, err
	}
	for _, n := range r.nodes {
		b.RemoveNode(n.Name)
	}
	return b, nil
}
