package why

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// terminating names what still has to act before the pod is gone. The kubelet stops the containers, unmounts the volumes and
// only then removes the object. Finalizers keep the object even after that.
func (a *asker) terminating(p *evidence.Pod, out *Pod) {
	out.State, out.Verdict = Terminating, Stuck
	e := mechanics.EndingIn(a.s, p, a.now)
	switch {
	case e.Holder == mechanics.HeldByFinalizer:
		a.finalizer(p, e, out)
		return
	case e.Holder == mechanics.HeldByCollector:
		a.collected(p, out)
		return
	case e.Holder == mechanics.HeldByNode:
		a.unheard(p, out)
	case e.Holder == mechanics.HeldByRuntime:
		a.runtimeDown(p, out)
	case !e.Dated:
		out.Verdict, out.Waits = Unknown, "kubelet"
		out.Summary = "is Terminating; since when is not in the evidence"
	case e.Holder == mechanics.HeldByKubelet && a.kept(p, out):
	case e.Holder == mechanics.HeldByGrace:
		out.Verdict, out.Waits = Waiting, "kubelet"
		out.Summary = fmt.Sprintf("is Terminating: %s left of its grace period of %ds", wording.Duration(-e.Over), p.Grace)
		if hooks := preStop(p); hooks != "" {
			out.Waits = "hook"
			out.Summary += "; its preStop hook (" + hooks + ") takes part of that"
		}
	default:
		a.overdue(p, e, out)
	}
	if len(e.Finalizers) > 0 {
		out.Summary += "; after that " + keptBy(e.Finalizers)
		out.Because = append(out.Because, Fact{Source: "metadata.finalizers", Text: strings.Join(e.Finalizers, ", ")})
	}
	if out.Verdict == Stuck && mechanics.GoneByForce(p) && out.Waits != "policy" {
		out.Do = append(out.Do, Step{What: "last resort: delete only the object; its containers may still be running and writing",
			Commands: []shell.Text{shell.Format("kubectl -n {namespace} delete pod {pod} --force --grace-period=0", p.Namespace, p.Name)}})
	}
}

// finalizer: the kubelet is done, and only finalizers of the object block it.
func (a *asker) finalizer(p *evidence.Pod, e mechanics.Ending, out *Pod) {
	out.Waits = "finalizer"
	if !e.Stuck() {
		out.Verdict = Waiting
	}
	switch {
	case p.Node == "":
		out.Summary = "is Terminating and was never scheduled; " + keptBy(e.Finalizers)
	case a.s.Node(p.Node) == nil && a.s.Covers(evidence.Nodes) == evidence.Complete:
		out.Summary = "is Terminating, and its node no longer exists; " + keptBy(e.Finalizers)
	default:
		out.Summary = "has terminated, as its kubelet confirmed; " + keptBy(e.Finalizers)
	}
	out.Because = []Fact{{Source: "metadata.finalizers", Text: strings.Join(e.Finalizers, ", ")}}
	out.Do = []Step{{What: "find out why the finalizer's controller does not remove it; remove it manually only if that controller no longer exists",
		Commands: shell.WithoutFinalizers(p.Namespace, p.Name, p.Finalizers, e.Finalizers)}}
}

// collected: nothing blocks the deletion of the object now.
func (a *asker) collected(p *evidence.Pod, out *Pod) {
	out.Waits, out.Verdict = "controller", Waiting
	out.Summary = "has terminated and will be deleted in a moment"
	if p.Node != "" && a.s.Node(p.Node) == nil {
		out.Summary = "is Terminating, and its node no longer exists: the pod garbage collector deletes it within a minute"
	}
}

// runtimeDown: the kubelet sends heartbeats, and cannot stop containers.
func (a *asker) runtimeDown(p *evidence.Pod, out *Pod) {
	out.Waits = "runtime"
	out.Summary = "is Terminating: the kubelet of " + p.Node + " reports that its container runtime does not answer, so it cannot stop the containers"
	out.Because = a.nodeFact(p.Node)
	out.Do = []Step{{What: "find out why the container runtime does not answer", Commands: []shell.Text{shell.Format("nodetriage diagnose {node}", p.Node)}}}
}

// overdue: the kubelet is reachable, and has not terminated the pod in time.
func (a *asker) overdue(p *evidence.Pod, e mechanics.Ending, out *Pod) {
	if !e.Stuck() {
		out.Verdict = Waiting
	}
	over := wording.Duration(e.Over)
	diagnose := []shell.Text{shell.Format("nodetriage diagnose {node}", p.Node)}
	if stays := a.warnings(p.Subject(), volumeReasons...); len(stays) > 0 {
		out.Waits = "volume"
		out.Summary = fmt.Sprintf("should have been deleted %s ago: a volume cannot be unmounted on %s", over, p.Node)
		out.Because = stays
		out.Do = []Step{{What: "check the storage driver on the node", Commands: diagnose}}
		return
	}
	out.Waits = "runtime"
	left := "stopped its containers"
	if ended(p) {
		left = "confirmed the deletion, although the containers have ended: it may wait for a volume or for the sandbox"
	}
	out.Summary = fmt.Sprintf("should have been deleted %s ago: the kubelet of %s is running, but has not %s", over, p.Node, left)
	out.Because = a.warnings(p.Subject())
	out.Do = []Step{{What: "check whether the container runtime answers", Commands: diagnose}}
}

// ended reports whether all containers of a pod have ended.
func ended(p *evidence.Pod) bool {
	return len(p.Containers) > 0 && !slices.ContainsFunc(p.Containers, func(c evidence.Container) bool { return c.State != "terminated" })
}

// unheard: the control plane gets no heartbeat from the node.
func (a *asker) unheard(p *evidence.Pod, out *Pod) {
	said := a.silent(p.Node)
	if said == "" {
		said = "node " + p.Node + " is NotReady"
	}
	out.Waits = "kubelet"
	out.Summary = "is Terminating, and only its kubelet can confirm that it has terminated: " + said
	out.Because = a.nodeFact(p.Node)
	out.Do = []Step{
		{What: "bring the node back: its kubelet then deletes the pod", Commands: []shell.Text{shell.Format("nodetriage diagnose {node}", p.Node)}},
		{What: "if the node is certainly powered off, mark it as out of service: its pods are deleted and its volumes detached",
			Commands: []shell.Text{shell.Format("kubectl taint node {node} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute", p.Node)}},
		{What: "if the node never comes back, delete its Node object: its pods are deleted within a minute; a running kubelet must be restarted to register again",
			Commands: []shell.Text{shell.Format("kubectl delete node {node}", p.Node)}},
	}
}

// volumeReasons are events of a volume that is not unmounted or detached.
var volumeReasons = []string{"FailedUnmount", "FailedUnMount", "FailedDetachVolume", "FailedUnmapDevice"}

func keptBy(finalizers []string) string {
	return "its deletion waits until the controller of finalizer " + strings.Join(finalizers, ", ") + " removes it"
}

// preStop lists the containers with a hook.
func preStop(p *evidence.Pod) string {
	if p.Spec == nil {
		return ""
	}
	var names []string
	for _, c := range p.Spec.Containers {
		if c.Lifecycle != nil && c.Lifecycle.PreStop != nil {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, ", ")
}

// nodeFact quotes the Ready condition.
func (a *asker) nodeFact(node string) []Fact {
	n := a.s.Node(node)
	if n == nil {
		return nil
	}
	c := n.Condition(corev1.NodeReady)
	if c == nil {
		return nil
	}
	return []Fact{{
		Source: "node/" + node + " Ready=" + string(c.Status), Text: strings.TrimSpace(c.Reason + " " + c.Message), At: c.LastTransitionTime.UTC(),
	}}
}
