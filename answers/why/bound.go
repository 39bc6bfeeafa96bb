package why

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// lost: the API shows the kubelet's last status, and the kubelet is unreachable.
func (a *asker) lost(p *evidence.Pod, out *Pod) {
	out.State, out.Verdict, out.Waits = Lost, Stuck, "kubelet"
	shown := string(p.Phase)
	if shown == "" {
		shown = p.Status
	}
	out.Summary = fmt.Sprintf("is shown as %s, but this is only the kubelet's last status: %s", shown, a.silent(p.Node))
	out.Because = a.nodeFact(p.Node)
	if n := a.s.Node(p.Node); n != nil && p.Spec != nil {
		out.Summary += "; " + a.eviction(p, n)
	}
	out.Do = []Step{{What: "diagnose the node", Commands: []shell.Text{shell.Format("nodetriage diagnose {node}", p.Node)}}}
}

// eviction returns when the taint eviction controller deletes the pod.
func (a *asker) eviction(p *evidence.Pod, n *evidence.Node) string {
	var taints []corev1.Taint
	var held []mechanics.Held
	dated := true
	for i := range n.Spec.Taints {
		t := &n.Spec.Taints[i]
		if !mechanics.Evicts(t) {
			continue
		}
		since := mechanics.TaintedSince(n, t, a.s.EventsOf(n.Subject()))
		dated = dated && !since.IsZero()
		taints, held = append(taints, *t), append(held, mechanics.Held{Taint: *t, From: since.Sub(a.now), To: mechanics.Never})
	}
	switch stay := mechanics.StayUnder(p.Spec.Tolerations, taints); {
	case len(taints) == 0:
		return "no taint on the node requires its eviction"
	case stay.Now:
		return "its eviction is due immediately"
	case stay.Forever:
		return "it tolerates the node's taint forever, so it is not evicted"
	case !dated:
		return "it is evicted " + wording.Duration(stay.For) + " after the taint"
	}
	left := mechanics.EvictionDue(p.Spec.Tolerations, held, p.Created.Sub(a.now), mechanics.Never)
	if left > 0 {
		return fmt.Sprintf("its eviction is due in %s, at %s", wording.Duration(left), a.now.Add(left).UTC().Format(time.TimeOnly))
	}
	return fmt.Sprintf("its eviction was due %s ago: the eviction controller is rate-limited or not running", wording.Duration(-left))
}

// reader is who acts on a waiting container, by its reason.
var reader = map[string]string{
	"ErrImagePull": "registry", "ImagePullBackOff": "registry", "ErrImageNeverPull": "user", "InvalidImageName": "user",
	"CreateContainerConfigError": "user", "CreateContainerError": "runtime", "RunContainerError": "runtime",
	"CrashLoopBackOff": "user",
}

// unwell: the pod has a reachable node, and is unhealthy.
func (a *asker) unwell(p *evidence.Pod, out *Pod) {
	out.Because = a.warnings(p.Subject())
	out.State, out.Verdict, out.Waits = Starting, Waiting, "kubelet"
	worst := worstWaiting(p)
	switch {
	case worst != nil && worst.Reason != "" && worst.Reason != "ContainerCreating":
		out.containerWaits(p, worst)
	case p.Phase == corev1.PodPending:
		a.beforeStart(p, out)
	case !p.Stated():
		out.State, out.Verdict, out.Waits, out.Summary = Running, Unknown, "", "is on "+p.Node+"; its state is not in the evidence"
	case p.Partial && p.Ready == evidence.Unknown:
		out.State, out.Verdict, out.Waits, out.Summary = Running, Unknown, "", "is shown as "+p.Status+"; more is not in the evidence"
	default:
		out.State, out.Verdict, out.Waits = Failing, Stuck, ""
		out.Summary = fmt.Sprintf("is running on %s, %d/%d containers ready%s", p.Node, p.ReadyCount, p.Total, because(strings.Join(notReady(p), "; ")))
	}
}

// worstWaiting returns the first container that waits for something other than its image pull or volume mounts. If there is
// none, it returns the last one that waits for those.
func worstWaiting(p *evidence.Pod) *evidence.Container {
	var worst *evidence.Container
	for i := range p.Containers {
		c := &p.Containers[i]
		if c.State == "waiting" && c.Reason != "PodInitializing" && (worst == nil || worst.Reason == "ContainerCreating") {
			worst = c
		}
	}
	return worst
}

// containerWaits returns why a container of the pod does not start.
func (out *Pod) containerWaits(p *evidence.Pod, c *evidence.Container) {
	if out.State = Failing; c.Restarts == 0 {
		out.State = Starting
	}
	out.Verdict, out.Waits = Stuck, cmp.Or(reader[c.Reason], "kubelet")
	out.Summary = fmt.Sprintf("cannot start: container %s on %s is waiting with %s%s", c.Name, p.Node, c.Reason, because(c.Message))
	if c.LastReason != "" {
		out.Summary += fmt.Sprintf("; it last exited with %s, exit code %d", c.LastReason, c.LastExitCode)
	}
}

// beforeStart returns what the kubelet waits for before it starts the containers, according to events.
func (a *asker) beforeStart(p *evidence.Pod, out *Pod) {
	if mounts := a.warnings(p.Subject(), "FailedMount", "FailedAttachVolume"); len(mounts) > 0 {
		out.Because, out.Waits, out.Verdict = mounts, "volume", Stuck
		out.Summary = "cannot start on " + p.Node + ": a volume is missing" + because(mounts[0].Text)
		return
	}
	if sandbox := a.warnings(p.Subject(), "FailedCreatePodSandBox", "NetworkNotReady"); len(sandbox) > 0 {
		out.Because, out.Waits, out.Verdict = sandbox, "runtime", Stuck
		out.Summary = "cannot start on " + p.Node + ": its sandbox cannot be created" + because(sandbox[0].Text)
		out.Do = []Step{{What: "diagnose the node", Commands: []shell.Text{shell.Format("nodetriage diagnose {node}", p.Node)}}}
		return
	}
	a.slow(p, out)
}

// slow: bound, and the reason is unknown so far.
func (a *asker) slow(p *evidence.Pod, out *Pod) {
	since := ""
	if !p.Created.IsZero() {
		since = fmt.Sprintf(", %s after its creation", wording.Duration(a.now.Sub(p.Created)))
		if a.now.Sub(p.Created) > 5*time.Minute {
			out.Verdict = Stuck
		}
	}
	out.Summary = fmt.Sprintf("is assigned to node %s and is starting%s; its containers show no reason for the delay", p.Node, since)
	if n := a.s.Node(p.Node); n != nil && n.NotReady() {
		out.Verdict, out.Because = Stuck, append(a.nodeFact(p.Node), out.Because...)
		out.Summary = fmt.Sprintf("is assigned to node %s, which is NotReady, so its kubelet does not start it%s", p.Node, since)
		out.Do = []Step{{What: "diagnose the node", Commands: []shell.Text{shell.Format("nodetriage diagnose {node}", p.Node)}}}
	}
}

// notReady describes each unhealthy container.
func notReady(p *evidence.Pod) []string {
	var out []string
	for _, c := range p.Containers {
		if c.Init || c.Ready {
			continue
		}
		say := c.Name + " is " + c.State
		if c.Reason != "" {
			say += " (" + c.Reason + ")"
		}
		if c.Restarts > 0 {
			say += fmt.Sprintf(", restarts: %d", c.Restarts)
		}
		out = append(out, say)
	}
	return out
}
