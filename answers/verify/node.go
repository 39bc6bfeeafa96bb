package verify

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// unseen returns a step without evidence.
func unseen(id, title, why string, how shell.Text) Step {
	return Step{ID: id, Title: title, Result: Unknown, Detail: why, How: how}
}

func (j *judge) get() shell.Text { return shell.Format("kubectl get node {node} -o yaml", j.Node) }

func (j *judge) ready() Step {
	s := Step{ID: "ready", Title: "Ready"}
	if j.node == nil || j.node.Condition(corev1.NodeReady) == nil {
		return unseen(s.ID, s.Title, "the node's conditions are not in the evidence", j.get())
	}
	c := j.node.Condition(corev1.NodeReady)
	s.Since = evidence.Stamp(c.LastTransitionTime.UTC())
	switch c.Status {
	case corev1.ConditionTrue:
		s.Result, s.Detail = Clear, "the kubelet reports Ready"
	case corev1.ConditionFalse:
		s.Result, s.Detail = NotClear, strings.TrimSuffix("the kubelet reports: "+c.Reason+": "+c.Message, ": ")
	default:
		s.Result, s.Detail = NotClear, "the kubelet does not report to the control plane"
	}
	return s
}

// pressures are the conditions that every kubelet sets.
var pressures = []corev1.NodeConditionType{corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure}

func (j *judge) pressure() Step {
	s := Step{ID: "conditions", Title: "conditions"}
	if j.node == nil || len(j.node.Node.Status.Conditions) == 0 {
		return unseen(s.ID, s.Title, "the node's conditions are not in the evidence", j.get())
	}
	var bad, missing, unexplained []string
	seen := 0
	for i := range j.node.Node.Status.Conditions {
		c := &j.node.Node.Status.Conditions[i]
		if c.Type == corev1.NodeReady {
			continue
		}
		seen++
		switch evidence.Bad(c) {
		case evidence.True:
			bad = append(bad, strings.TrimSpace(string(c.Type)+" "+c.Reason))
		case evidence.Unknown:
			if c.Status == corev1.ConditionUnknown {
				missing = append(missing, string(c.Type))
			} else if evidence.Unexplained(c) {
				unexplained = append(unexplained, string(c.Type))
			}
		}
	}
	for _, typ := range pressures {
		if j.node.Condition(typ) == nil {
			missing = append(missing, string(typ))
		}
	}
	switch {
	case len(bad) > 0:
		s.Result, s.Detail = NotClear, strings.Join(bad, ", ")+": "+keptAway(bad)
	case len(missing) > 0:
		return unseen(s.ID, s.Title, "not reported: "+strings.Join(missing, ", "), j.get())
	default:
		s.Result, s.Detail = Clear, fmt.Sprintf("no pressure (%d conditions other than Ready)", seen)
		if len(unexplained) > 0 {
			s.Detail += "; meaning unknown: " + strings.Join(unexplained, ", ")
		}
	}
	return s
}

// faults are taints that mark a problem of a node (kubernetes staging/src/k8s.io/api/core/v1/well_known_taints.go and
// cloud-provider/api/well_known_taints.go, 1.36.3; the cluster autoscaler). Those of components are in package components.
var faults = map[string]bool{
	corev1.TaintNodeNotReady: true, corev1.TaintNodeUnreachable: true, corev1.TaintNodeMemoryPressure: true, corev1.TaintNodeDiskPressure: true,
	corev1.TaintNodePIDPressure: true, corev1.TaintNodeNetworkUnavailable: true, corev1.TaintNodeOutOfService: true,
	"node.cloudprovider.kubernetes.io/uninitialized": true, "node.cloudprovider.kubernetes.io/shutdown": true,
	"ToBeDeletedByClusterAutoscaler": true,
}

// IsFault reports whether a taint marks a problem, rather than being configured for the pool.
func IsFault(t corev1.Taint) bool { return faults[t.Key] || components.OfTaint(t.Key) != nil }

const stepTaints = "taints"

func (j *judge) taints() Step {
	s := Step{ID: stepTaints, Title: "taints", Result: Clear, Detail: "no taint that indicates a problem"}
	if j.node == nil || j.node.Partial && len(j.node.Spec.Taints) == 0 {
		return unseen(s.ID, s.Title, "the node's taints are not in the evidence", j.get())
	}
	var bad []string
	for _, t := range j.node.Spec.Taints {
		if IsFault(t) {
			bad = append(bad, fmt.Sprintf("%s:%s", t.Key, t.Effect))
		}
	}
	switch {
	case len(bad) > 0:
		s.Result, s.Detail = NotClear, strings.Join(bad, ", ")
	case j.node.Spec.Unschedulable || j.node.Taint(corev1.TaintNodeUnschedulable) != nil:
		s.Result, s.Detail, s.How = Warning, "the node is still cordoned: no new pods are scheduled to it", shell.Format("if everything else is OK: kubectl uncordon {node}", j.Node)
	}
	return s
}

// keptAway says what taints do to pods without a toleration.
func keptAway(taints []string) string {
	if slices.ContainsFunc(taints, func(t string) bool { return strings.HasSuffix(t, ":"+string(corev1.TaintEffectNoExecute)) }) {
		return "no new pod is scheduled to it, and pods that do not tolerate NoExecute are evicted"
	}
	return "no new pod is scheduled to it"
}

func (j *judge) lease() Step {
	s := Step{ID: "lease", Title: "heartbeat"}
	l := j.Snapshot.NodeLease(j.Node)
	if l == nil || l.Renewed.IsZero() || j.Now.IsZero() {
		return unseen(s.ID, s.Title, "the node's Lease is not in the evidence", shell.Format("kubectl get lease -n kube-node-lease {node}", j.Node))
	}
	age, grace := j.Now.Sub(l.Renewed), mechanics.HeartbeatGrace(j.Snapshot.Data(), 0)
	s.Result, s.Detail = Clear, "the Lease was renewed "+wording.Duration(age)+" ago"
	switch grace.Overdue(age) {
	case evidence.True:
		s.Result, s.Detail = NotClear, fmt.Sprintf("the Lease was renewed %s ago (limit: %s)", wording.Duration(age), wording.Duration(grace.Most))
	case evidence.Unknown:
		return unseen(s.ID, s.Title, fmt.Sprintf("the Lease was renewed %s ago, and the limit is %s or %s (unknown control plane version)", wording.Duration(age), wording.Duration(grace.Least), wording.Duration(grace.Most)), "kubectl version")
	}
	return s
}

// kubelet uses what the API server gets through its proxy, because logs and exec need that path too. Otherwise it uses the
// node's report.
func (j *judge) kubelet() Step {
	s := Step{ID: "kubelet", Title: "kubelet"}
	if k := j.Snapshot.Kubelet(j.Node); k != nil {
		switch {
		case k.Healthz == "ok":
			s.Result, s.Detail = Clear, "/healthz: ok (through the API server)"
			return s
		case k.Healthz != "":
			s.Result, s.Detail = NotClear, "/healthz: "+k.Healthz
			return s
		case k.Error != "":
			s.Result, s.Detail = NotClear, "the API server cannot reach the kubelet: "+k.Error
			return s
		}
	}
	if r := j.newest(); r != nil && r.Kubelet != nil {
		switch {
		case r.Kubelet.Healthz == "ok":
			s.Result, s.Detail = Clear, "/healthz: ok (on the node)"
			return s
		case r.Kubelet.Healthz != "" || r.Kubelet.Error != "":
			s.Result, s.Detail = NotClear, strings.TrimSpace("/healthz on the node: "+r.Kubelet.Healthz+" "+r.Kubelet.Error)
			return s
		}
	}
	why := "the kubelet was not queried"
	for _, g := range j.Snapshot.Data().Gaps {
		if g.What == "kubelet of node/"+j.Node {
			why = g.Why
		}
	}
	return unseen(s.ID, s.Title, why, "on the node: curl -s http://127.0.0.1:10248/healthz; or grant nodes/proxy")
}
