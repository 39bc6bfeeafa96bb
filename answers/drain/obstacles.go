package drain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/admission"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// Obstacles collects what prevents the eviction of one pod in a drain.
type Obstacles struct {
	*clusterview.View
	pod     *evidence.Pod
	node    string
	budgets []*evidence.PDB // that apply to an eviction of the pod
	nodes   []string        // of the drain
	accept  []Kind          // whose risk is accepted
	found   []Blocker
	// lands is where the replacement of the pod fits; empty: unknown.
	lands placement.Verdict
}

// NewObstacles returns empty Obstacles of a pod whose node is drained alone.
func NewObstacles(v *clusterview.View, pod *evidence.Pod, node string, budgets []*evidence.PDB) *Obstacles {
	return &Obstacles{View: v, pod: pod, node: node, budgets: budgets, nodes: []string{node}, found: []Blocker{}}
}

// Found returns the obstacles so far, in the order of the checks.
func (o *Obstacles) Found() []Blocker { return o.found }

// Add adds an obstacle. It is Passing if its risk is accepted.
func (o *Obstacles) Add(x Blocker) {
	if x.Unblock == nil {
		x.Unblock = []shell.Text{}
	}
	if slices.Contains(o.accept, x.Kind) {
		x.Passing, x.Unblock = true, []shell.Text{}
		x.Detail += " (accepted)"
	}
	o.found = append(o.found, x)
}

// blocked reports whether an obstacle does not resolve itself.
func (o *Obstacles) blocked() bool {
	return slices.ContainsFunc(o.found, func(x Blocker) bool { return !x.Passing })
}

func (o *Obstacles) has(kind Kind) bool {
	return slices.ContainsFunc(o.found, func(x Blocker) bool { return x.Kind == kind })
}

// drainWith returns the command of this drain with an additional flag.
func (o *Obstacles) drainWith(flag shell.Text) shell.Text { return drainWith(o.nodes, flag) }

func drainWith(nodes []string, flag shell.Text) shell.Text {
	return "nodetriage drain " + shell.Words("node", nodes...) + " " + flag
}

// NotEnded finds pods that the kubelet does not terminate, or would not terminate.
func (o *Obstacles) NotEnded() {
	n := o.Node(o.node)
	if !o.pod.Deleting() {
		switch {
		case o.pod.Finished():
		case n.Silent():
			o.silent(n)
		case !mechanics.EndsPods(n):
			o.runtimeDown(n)
		}
		return
	}
	e := o.Ending(o.pod)
	switch {
	case e.Holder == mechanics.HeldByFinalizer:
	case e.Holder == mechanics.HeldByNode && n.Silent():
		o.silent(n)
	case e.Holder == mechanics.HeldByRuntime:
		o.runtimeDown(n)
	case e.Stuck():
		o.overdue(n, e)
	}
}

// runtimeDown adds that no runtime on the node stops containers.
func (o *Obstacles) runtimeDown(n *evidence.Node) {
	o.Add(Blocker{
		Kind: RuntimeDown, Name: n.Name, Detail: "the container runtime of the node does not answer: an evicted pod stays Terminating, and its containers may keep running",
		What:    "find out why the runtime does not answer",
		Unblock: []shell.Text{shell.Format("nodetriage diagnose {node}", n.Name)},
		Harm:    "none (read-only); the pods can be evicted when the runtime answers again",
	})
}

// silent adds that no kubelet confirms the termination of a pod.
func (o *Obstacles) silent(n *evidence.Node) {
	o.Add(Blocker{
		Kind: Silent, Name: n.Name, Detail: "the kubelet of the node does not report: an evicted pod stays Terminating",
		What: "diagnose the node first; the taint only if it is certainly powered off",
		Unblock: []shell.Text{
			shell.Format("nodetriage diagnose {node}", n.Name),
			shell.Format("kubectl taint node {node} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute", n.Name),
		},
		Harm: "none for diagnose; run it first: a drain does not fix the node and may destroy evidence. The taint is safe only if the node is certainly powered off; otherwise two copies of a pod may write to one volume",
	})
}

// overdue adds that the kubelet has not terminated a deleted pod in time.
func (o *Obstacles) overdue(n *evidence.Node, e mechanics.Ending) {
	why := "the kubelet of " + n.Name + " is running, but has not stopped its containers"
	if n.NotReady() {
		why = "node " + n.Name + " is NotReady, and its kubelet has not stopped its containers"
	}
	late := ""
	if e.Dated {
		late = fmt.Sprintf("should have been deleted %s ago: ", wording.Duration(e.Over))
	}
	o.Add(Blocker{
		Kind: Overdue, Name: o.pod.Key(), Detail: late + why,
		What: "find out why the kubelet does not stop it",
		Unblock: []shell.Text{
			shell.Format("nodetriage why pod/{pod} -n {namespace}", o.pod.Name, o.pod.Namespace),
			shell.Format("nodetriage diagnose {node}", n.Name),
		},
		Harm: "none (read-only); only the kubelet can stop the containers",
	})
}

// Finalizers finds pods that remain after termination. A pod whose kubelet finished long ago is stuck.
func (o *Obstacles) Finalizers() {
	names, stuck, over := mechanics.LastingFinalizers(o.pod), false, ""
	if o.pod.Deleting() {
		e := o.Ending(o.pod)
		names, stuck = e.Finalizers, e.Holder == mechanics.HeldByFinalizer && e.Stuck()
		if e.Dated {
			over = " " + wording.Duration(e.Over) + " ago"
		}
	}
	if len(names) == 0 {
		return
	}
	x := Blocker{
		Kind: Finalizer, Name: strings.Join(names, ", "), Detail: "the pod stays until its finalizer is removed: check that the finalizer's controller is running", Passing: !stuck,
		What:    "see which finalizers are left",
		Unblock: []shell.Text{shell.Format("kubectl get pod -n {namespace} {pod} -o jsonpath='{.metadata.finalizers}'", o.pod.Namespace, o.pod.Name)},
		Harm:    "none (read-only); if that controller no longer exists, remove the finalizer manually after the pod has terminated (nodetriage explain drain-blocked-finalizer)",
	}
	if stuck {
		x.Detail = "has terminated and should have been deleted" + over + ", but its finalizer is still set"
		x.Unblock = append([]shell.Text{shell.Format("kubectl get pod -n {namespace} {pod} -o yaml", o.pod.Namespace, o.pod.Name)},
			shell.WithoutFinalizers(o.pod.Namespace, o.pod.Name, o.pod.Finalizers, names)...)
		x.What = "remove the finalizer"
		x.Harm = "skips the cleanup of the finalizer's controller; check first whether that controller is running"
	}
	o.Add(x)
}

// Denied finds what rejects a request of this drain, or may. For requests of others it reports only certain rejections.
func (o *Obstacles) Denied(r admission.Request, so string, ours bool) {
	for _, refusal := range o.Policies.Refusals(r) {
		x := Blocker{
			Kind: Policy, Name: refusal.Policy, Detail: so + ": " + refusal.String(),
			What:    "see what the policy requires",
			Unblock: []shell.Text{shell.Format("kubectl get validatingadmissionpolicy {policy} -o yaml", refusal.Policy), shell.Format("kubectl get validatingadmissionpolicybinding {binding} -o yaml", refusal.Binding)},
			Harm:    "none (read-only); change the pod so that the policy allows it, or add an exemption to the policy; until then the drain retries",
		}
		switch {
		case refusal.Certain:
		case !ours:
			continue // the client is known, and policies rarely depend on what is missing
		default:
			x.Detail = refusal.String()
			x.Passing, x.Unblock = true, []shell.Text{o.drainWith("--dry-run=server")}
			x.What = "ask the API server"
			x.Harm = "none (dry run: the API server only evaluates its policies)"
		}
		o.Add(x)
	}
}
