package lists

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// keeps is the reason why a pod is not running, and who has to act. The zero value means that there is none.
type keeps struct{ reason, acts string }

// runs is the group of healthy pods.
var runs = keeps{reason: "running and ready"}

// Who has to act.
const (
	noOne    = "no one: resolves automatically"
	operator = "cluster admin"
	owner    = "workload owner"
)

// keeps returns the reason why the pod is not running, its message, and since when.
func (b base) keeps(p *evidence.Pod) (keeps, string, time.Time) {
	node := b.snap.Node(p.Node)
	status := statusOf(p)
	switch {
	case p.Deleting():
		k, says := b.terminating(p)
		return k, says, deletionAsked(p)
	case failed(p):
		return keeps{"failed: " + cmp.Or(p.Reason, status), owner + ": read the reason, then delete the pod (it uses no resources)"}, cmp.Or(p.Message, lastWords(p)), cmp.Or(p.Ended, p.ReadySince, p.Created)
	case node != nil && node.Silent():
		return keeps{"on an unreachable node: its status is outdated", operator + ": nodetriage diagnose NODE, nodetriage predict NODE"}, "", silentSince(node)
	case status == "SchedulingGated":
		return keeps{"blocked by a scheduling gate", "the controller that set the gate"}, gates(p), p.Created
	case p.Node == "" && waits(p, status):
		return b.unplaced(p)
	}
	return b.bound(p, status)
}

// bound returns the reason of a pod on a reachable node.
func (b base) bound(p *evidence.Pod, status string) (keeps, string, time.Time) {
	for _, s := range stuck {
		if strings.Contains(status, s.status) {
			return keeps{s.status, s.acts}, cmp.Or(waitsFor(p), p.Message), cmp.Or(p.ReadySince, p.Created)
		}
	}
	switch {
	case waits(p, status):
		return keeps{"starting: " + status, "no one yet. If it lasts: nodetriage why POD"}, waitsFor(p), cmp.Or(p.ReadySince, p.Created)
	case status == "Running" && p.Ready == evidence.False:
		return keeps{"running, but not ready", owner}, notReadyWords(p), p.ReadySince
	case status == "Unknown" || status == "NodeLost":
		return keeps{"on an unreachable node: its status is outdated", operator + ": nodetriage diagnose NODE, nodetriage predict NODE"}, p.Message, p.ReadySince
	case status != "Running" && status != "Completed" && status != "":
		return keeps{status, owner}, cmp.Or(waitsFor(p), lastWords(p)), cmp.Or(p.ReadySince, p.Created)
	}
	return keeps{}, "", p.Created
}

// stuck are values of the STATUS column with their reason, and who can fix it.
var stuck = []struct{ status, acts string }{
	{"ImagePullBackOff", owner + ": check the image name, the registry and the pull secret"},
	{"ErrImagePull", owner + ": check the image name, the registry and the pull secret"},
	{"InvalidImageName", owner + ": check the image name"},
	{"ErrImageNeverPull", owner + ": the image is not on the node, and imagePullPolicy is Never"},
	{"CreateContainerConfigError", owner + ": check the ConfigMaps and Secrets that the pod uses"},
	{"CreateContainerError", operator + ": nodetriage diagnose NODE"},
	{"RunContainerError", operator + ": nodetriage diagnose NODE"},
	{"CrashLoopBackOff", owner + ": kubectl logs --previous"},
	{"OOMKilled", owner + ": check the memory limit"},
}

// statusOf returns the pod's STATUS column, or the closest equivalent.
func statusOf(p *evidence.Pod) string { return cmp.Or(p.Status, p.Reason, string(p.Phase)) }

// failed reports whether the pod has failed.
func failed(p *evidence.Pod) bool {
	status := statusOf(p)
	return p.Phase == corev1.PodFailed || status == "Evicted" || status == "Error" && p.Phase == ""
}

// waits reports whether the pod is Pending. A table does not show the phase, so the status is used.
func waits(p *evidence.Pod, status string) bool {
	switch p.Phase {
	case corev1.PodPending:
		return true
	case "":
		return slices.Contains([]string{"Pending", "ContainerCreating", "PodInitializing"}, status) || strings.HasPrefix(status, "Init:")
	}
	return false
}

// counts match the numbers in a scheduler's message. Without them, pods with the same reason have the same message.
var counts = regexp.MustCompile(`\b\d+ (?:node\(s\) )?`)

// unplaced returns the reason of a pod without a node, from the scheduler's message.
func (b base) unplaced(p *evidence.Pod) (keeps, string, time.Time) {
	c := p.Condition(string(corev1.PodScheduled))
	if c == nil || c.Status != "False" {
		return keeps{"waiting for the scheduler", "no one yet. If it lasts, check the scheduler: nodetriage diagnose"}, "", p.Created
	}
	_, reasons, found := strings.Cut(c.Message, "nodes are available: ")
	if !found {
		return keeps{"rejected by the scheduler", operator + " and " + owner + ": nodetriage why POD"}, c.Message, cmp.Or(c.Since, p.Created)
	}
	reasons, _, _ = strings.Cut(reasons, " preemption:")
	reasons, _, _ = strings.Cut(reasons, ". no new claims to deallocate")
	parts := strings.Split(strings.TrimRight(counts.ReplaceAllString(reasons, ""), ". "), ", ")
	slices.Sort(parts)
	return keeps{"no node fits: " + strings.Join(slices.Compact(parts), ", "), operator + " and " + owner + ": nodetriage why POD"}, c.Message, cmp.Or(c.Since, p.Created)
}

// terminating returns the reason of a pod that is being deleted.
func (b base) terminating(p *evidence.Pod) (keeps, string) {
	e := mechanics.EndingIn(b.snap, p, b.at)
	switch {
	case e.Holder == mechanics.HeldByFinalizer:
		return keeps{"Terminating, blocked by finalizers", "the controller of the finalizer"}, strings.Join(e.Finalizers, ", ")
	case e.Holder == mechanics.HeldByNode:
		return keeps{"Terminating on an unreachable node", operator + ": nodetriage predict NODE"}, ""
	case e.Stuck():
		return keeps{"Terminating, not stopped by the kubelet", operator + ": nodetriage diagnose NODE"}, ""
	case e.Holder == mechanics.HeldByCollector:
		return keeps{"Terminating", noOne}, ""
	}
	return keeps{"Terminating", noOne + " after the grace period"}, ""
}

// deletionAsked returns when the deletion was requested. The timestamp includes the grace period.
func deletionAsked(p *evidence.Pod) time.Time {
	if p.Deleted.IsZero() {
		return time.Time{}
	}
	return p.Deleted.Add(-mechanics.Seconds(p.Grace))
}

func silentSince(n *evidence.Node) time.Time {
	if c := n.Condition(corev1.NodeReady); c != nil {
		return c.LastTransitionTime.UTC()
	}
	return time.Time{}
}

func gates(p *evidence.Pod) string {
	if p.Spec == nil {
		return ""
	}
	var names []string
	for _, g := range p.Spec.SchedulingGates {
		names = append(names, g.Name)
	}
	return strings.Join(names, ", ")
}

// waitsFor returns the message of the first waiting container.
func waitsFor(p *evidence.Pod) string {
	for _, c := range p.Containers {
		if c.State == "waiting" && c.Message != "" {
			return c.Name + ": " + c.Message
		}
	}
	return lastWords(p)
}

// lastWords returns the message of the first failed container.
func lastWords(p *evidence.Pod) string {
	for _, c := range p.Containers {
		if c.State == "terminated" && c.ExitCode != 0 {
			return strings.TrimSpace(c.Name + ": " + cmp.Or(c.Says(), c.Reason))
		}
		if c.LastReason != "" && c.LastReason != "Completed" {
			return c.Name + ": last run failed: " + cmp.Or(c.LastSaid(), c.LastReason)
		}
	}
	return ""
}

func notReadyWords(p *evidence.Pod) string {
	if c := p.Condition(string(corev1.PodReady)); c != nil {
		return c.Message
	}
	return ""
}
