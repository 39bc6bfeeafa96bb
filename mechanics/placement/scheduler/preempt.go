package scheduler

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// Preempt returns victims with lower priority for a pod without a feasible node. It mirrors Preempt of
// kubernetes/kubernetes pkg/scheduler/framework/preemption/preemption.go, v1.36.3, without the deletion. The scheduler
// samples the nodes randomly; this function checks all.
func (c *Cluster) Preempt(p *evidence.Pod) placement.Preemption {
	if p.Spec == nil || len(c.nodes) == 0 {
		return placement.Preemption{}
	}
	t := c.templates.of(p)
	if t.bad != nil {
		return placement.Preemption{}
	}
	v := c.judged(t)
	s := c.scheduler
	if _, err := v.state.Read(names.DynamicResources); err != nil && !c.words.before(34) {
		// The DynamicResources plugin runs first. If its PreFilter did not run, it fails and nothing is preempted.
		return placement.Preemption{Message: err.Error()}
	}
	statuses := c.statuses(v)
	nominated := statuses.Get(t.pod.Status.NominatedNodeName)
	if ok, why := s.preemption.PodEligibleToPreemptOthers(s.ctx, t.pod, nominated); !ok {
		return placement.Preemption{Message: c.words.afterClaims("preemption: " + why)}
	}
	candidates, err := statuses.NodesForStatusCode(view{c}, fwk.Unschedulable)
	if err != nil {
		return placement.Preemption{}
	}
	said := framework.NewDefaultNodeToStatus()
	if len(candidates) > 0 {
		budgets, err := s.preemption.Evaluator.PdbLister.List(labels.Everything())
		if err != nil {
			return placement.Preemption{}
		}
		found, why, err := s.preemption.Evaluator.DryRunPreemption(s.ctx, v.state, t.pod, candidates, budgets, 0, int32(len(candidates)))
		if err != nil && len(found) == 0 {
			return placement.Preemption{}
		}
		if best := s.preemption.Evaluator.SelectCandidate(s.ctx, found); best != nil {
			victims := best.Victims()
			return placement.Preemption{
				Node: best.Name(), Victims: c.podsOf(best.Name(), victims.Pods), Violates: int(victims.NumPDBViolations),
				Message: c.words.nominated(best.Name(), len(victims.Pods)),
			}
		}
		said = why
	}
	said.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "Preemption is not helpful for scheduling"))
	e := framework.FitError{Pod: t.pod, NumAllNodes: len(c.nodes), Diagnosis: framework.Diagnosis{NodeToStatus: said}}
	return placement.Preemption{Message: c.words.afterClaims("preemption: " + e.Error())}
}

// statuses returns the plugin status of each node in the form for preemption.
func (c *Cluster) statuses(v *verdict) *framework.NodeToStatus {
	statuses := framework.NewDefaultNodeToStatus()
	if v.refused != nil {
		statuses.SetAbsentNodesStatus(v.refused)
		return statuses
	}
	for i, n := range c.list() {
		if name := n.Node().Name; v.only == nil || v.only.Has(name) {
			statuses.Set(name, c.words.preemptible(v.nodes[c.lister.slots[i]]))
		}
	}
	return statuses
}

// podsOf returns pods of the node with these templates. Among equal pods the scheduler picks by start time: the
// youngest.
func (c *Cluster) podsOf(node string, templates []*corev1.Pod) []*evidence.Pod {
	on := slices.Clone(c.snapshot.PodsOn(node))
	slices.SortStableFunc(on, func(a, b *evidence.Pod) int { return b.Created.Compare(a.Created) })
	var out []*evidence.Pod
	for _, t := range templates {
		i := slices.IndexFunc(on, func(p *evidence.Pod) bool {
			return p.Spec != nil && !p.Finished() && c.templates.of(p).pod == t
		})
		if i >= 0 {
			out = append(out, on[i])
			on = slices.Delete(on, i, i+1)
		}
	}
	return out
}
