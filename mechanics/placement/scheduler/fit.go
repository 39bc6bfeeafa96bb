package scheduler

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// Fit returns the nodes on which the pod fits, as if it were unbound.
func (c *Cluster) Fit(p *evidence.Pod) placement.Answer {
	if p.Spec == nil {
		const why = "the spec of the pod is unknown"
		return placement.Answer{Verdict: placement.Unknown, Message: why, Unknown: []string{why}}
	}
	if c.unsure != "" {
		return placement.Answer{Verdict: placement.Unknown, Message: c.unsure, Unknown: []string{c.unsure}}
	}
	r := placement.Answer{Verdict: placement.Pending}
	t := c.templates.of(p)
	r.Unknown = c.unknown(t.pod)
	if t.bad != nil {
		r.Message = t.bad.Error()
		return r
	}
	v := c.judged(t)
	if len(c.nodes) == 0 {
		r.Message = noNodes
		return r
	}
	for i, n := range c.list() {
		name := n.Node().Name
		if c.unread[name] {
			continue
		}
		status := v.of(c.lister.slots[i], name)
		if status.IsSuccess() {
			r.Feasible = append(r.Feasible, name)
			continue
		}
		if status.Code() == fwk.Error {
			r.Unknown = append(r.Unknown, fmt.Sprintf("node %s: %s", name, status.Message()))
		}
		r.Refusals = append(r.Refusals, placement.Refusal{
			Node: name, Plugin: status.Plugin(), Reasons: c.words.reasons(status, t.pod, n.Node()),
			Lasting: status.Code() != fwk.Unschedulable,
		})
	}
	if len(r.Feasible) == 0 && len(c.unread) > 0 {
		unseen := c.notSeen()
		unseen.Unknown = append(r.Unknown, unseen.Message)
		return unseen
	}
	if len(r.Feasible) == 0 {
		r.Message = c.message(t.pod, v)
		return r
	}
	r.Verdict = placement.Fits
	return r
}

// noNodes mirrors ErrNoNodesAvailable of kubernetes/kubernetes pkg/scheduler/scheduler.go, v1.36.3.
const noNodes = "no nodes available to schedule pods"

// of returns the status of the node with this slot and name.
func (v *verdict) of(slot int, name string) *fwk.Status {
	switch {
	case v.refused != nil:
		return v.refused
	case v.only != nil && !v.only.Has(name):
		return v.absent()
	}
	return v.nodes[slot]
}

// absent returns the status of the nodes that PreFilter excluded.
func (v *verdict) absent() *fwk.Status {
	s := fwk.NewStatus(fwk.UnschedulableAndUnresolvable, fmt.Sprintf("node(s) didn't satisfy plugin(s) %v", sets.List(v.because)))
	if len(v.because) == 1 {
		s.SetPlugin(sets.List(v.because)[0])
	}
	return s
}

// message returns the scheduler message for a pod without a feasible node, without the part about preemption.
func (c *Cluster) message(pod *corev1.Pod, v *verdict) string {
	e := framework.FitError{Pod: pod, NumAllNodes: len(c.nodes), Diagnosis: framework.Diagnosis{NodeToStatus: framework.NewDefaultNodeToStatus()}}
	if v.refused != nil {
		e.Diagnosis.PreFilterMsg = v.refused.Message()
		return e.Error()
	}
	if v.only != nil {
		e.Diagnosis.NodeToStatus.SetAbsentNodesStatus(c.words.absent(v.absent()))
	}
	for i, n := range c.list() {
		if name := n.Node().Name; v.only == nil || v.only.Has(name) {
			status := v.nodes[c.lister.slots[i]]
			e.Diagnosis.NodeToStatus.Set(name, fwk.NewStatus(status.Code(), c.words.reasons(status, pod, n.Node())...))
		}
	}
	return e.Error()
}

// unknown returns the constraints of the pod that the evidence cannot answer.
func (c *Cluster) unknown(pod *corev1.Pod) []string {
	var out []string
	if s := pod.Spec.SchedulerName; s != "" && s != corev1.DefaultSchedulerName {
		out = append(out, fmt.Sprintf("the pod uses the scheduler %q, whose rules are unknown; the rules of the default scheduler are used", s))
	}
	if len(pod.Spec.ResourceClaims) > 0 {
		out = append(out, "the pod claims devices (resourceClaims), which are not read")
	}
	return out
}
