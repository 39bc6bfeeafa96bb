package why

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// terminating names who still has to act before the pod is gone. The kubelet ends the containers, unmounts the
// volumes and only then removes the object; finalizers keep the object even after that.
func (a *asker) terminating(p *evidence.Pod, out *Pod) {
	out.State, out.Verdict = Terminating, Stuck
	force := shell.Format("kubectl -n {namespace} delete pod {pod} --force --grace-period=0", p.Namespace, p.Name)
	over := a.now.Sub(p.Deleted)
	silent := a.silent(p.Node)
	switch {
	case p.Node == "" && len(p.Finalizers) > 0, p.Finished() && len(p.Finalizers) > 0:
		out.Waits = "finalizer"
		out.Summary = "is being deleted and has nothing running; " + keptBy(p.Finalizers)
		out.Because = []Fact{{Source: "metadata.finalizers", Text: strings.Join(p.Finalizers, ", ")}}
		out.Do = []Step{{What: "see why the controller behind the finalizer does not remove it; remove it by hand only if that controller is gone for good",
			Commands: shell.WithoutFinalizers(p.Namespace, p.Name, p.Finalizers, p.Finalizers)}}
	case silent != "":
		a.unheard(p, silent, out)
	case p.Deleted.IsZero():
		out.Verdict, out.Waits = Unknown, "kubelet"
		out.Summary = "is being deleted; since when is not in the evidence"
	case len(p.Finalizers) > 0 && p.Grace == 0 && !p.Partial:
		// The kubelet's last word is a deletion without grace: only what is written on the object keeps it.
		out.Waits = "finalizer"
		out.Summary = "has ended, and its kubelet has said so; " + keptBy(p.Finalizers)
		out.Because = []Fact{{Source: "metadata.finalizers", Text: strings.Join(p.Finalizers, ", ")}}
		out.Do = []Step{{What: "see why the controller behind the finalizer does not remove it; remove it by hand only if that controller is gone for good",
			Commands: shell.WithoutFinalizers(p.Namespace, p.Name, p.Finalizers, p.Finalizers)}}
	case (over > 0 || p.Finished()) && a.kept(p, out):
	case over <= 0:
		out.Verdict, out.Waits = Waiting, "kubelet"
		out.Summary = fmt.Sprintf("is ending: it has %s left of its grace period of %d seconds", wording.Duration(-over), p.Grace)
		if hooks := preStop(p); hooks != "" {
			out.Waits = "hook"
			out.Summary += "; its preStop hook (" + hooks + ") takes part of that"
		}
	case len(a.warnings(p.Subject(), volumeReasons...)) > 0:
		out.Waits = "volume"
		out.Summary = fmt.Sprintf("should have been gone for %s: a volume cannot be unmounted on %s", wording.Duration(over), p.Node)
		out.Because = a.warnings(p.Subject(), volumeReasons...)
		out.Do = []Step{{What: "look at the storage driver on the node", Commands: []shell.Text{shell.Format("nodetriage diagnose {node}", p.Node)}}}
	case len(p.Finalizers) > 0 && over > time.Minute && a.stopped(p):
		out.Waits = "finalizer"
		out.Summary = fmt.Sprintf("should have been gone for %s; %s", wording.Duration(over), keptBy(p.Finalizers))
		out.Because = []Fact{{Source: "metadata.finalizers", Text: strings.Join(p.Finalizers, ", ")}}
	default:
		out.Waits = "runtime"
		out.Summary = fmt.Sprintf("should have been gone for %s: the kubelet of %s is alive and has not ended its containers", wording.Duration(over), p.Node)
		out.Because = a.warnings(p.Subject())
		out.Do = []Step{{What: "see whether the container runtime answers", Commands: []shell.Text{shell.Format("nodetriage diagnose {node}", p.Node)}}}
	}
	if out.Verdict == Stuck && mechanics.GoneByForce(p) && out.Waits != "finalizer" && out.Waits != "policy" {
		out.Do = append(out.Do, Step{What: "removing only the object is a last resort: its containers may still run and write", Commands: []shell.Text{force}})
	}
}

// unheard: nobody hears from the node, or it is gone.
func (a *asker) unheard(p *evidence.Pod, silent string, out *Pod) {
	out.Waits = "kubelet"
	out.Summary = "is being deleted, and only its kubelet can confirm that it has ended: " + silent
	out.Because = a.nodeFact(p.Node)
	out.Do = []Step{
		{What: "bring the node back: the kubelet then removes the pod by itself", Commands: []shell.Text{shell.Format("nodetriage diagnose {node}", p.Node)}},
		{What: "if the machine is off for certain, say so: its pods are removed and its volumes detached",
			Commands: []shell.Text{shell.Format("kubectl taint node {node} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute", p.Node)}},
	}
	if a.s.Node(p.Node) != nil {
		out.Do = append(out.Do, Step{What: "if the machine never comes back, delete its Node object: its pods are removed within a minute; a kubelet that still runs has to be restarted to register again",
			Commands: []shell.Text{shell.Format("kubectl delete node {node}", p.Node)}})
	}
	if a.s.Node(p.Node) == nil {
		out.Summary = "is being deleted, and its node is gone: the garbage collector of pods removes it within a minute"
		out.Waits, out.Verdict, out.Do = "controller", Waiting, nil
	}
	if names := mechanics.LastingFinalizers(p); len(names) > 0 {
		if a.s.Node(p.Node) == nil {
			out.Summary, out.Waits, out.Verdict = "is being deleted, and its node is gone", "finalizer", Stuck
		}
		out.Summary += "; even then " + keptBy(names)
		out.Because = append(out.Because, Fact{Source: "metadata.finalizers", Text: strings.Join(names, ", ")})
	}
}

// volumeReasons are events of a volume that does not come off.
var volumeReasons = []string{"FailedUnmount", "FailedUnMount", "FailedDetachVolume", "FailedUnmapDevice"}

func keptBy(finalizers []string) string {
	return "the object stays until " + strings.Join(finalizers, ", ") + " is removed by whoever set it"
}

// stopped reports whether all containers are known to have ended.
func (a *asker) stopped(p *evidence.Pod) bool {
	ended := 0
	for _, c := range p.Containers {
		if !c.Init && c.State == "terminated" {
			ended++
		}
	}
	return ended > 0 && ended == p.Total
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
