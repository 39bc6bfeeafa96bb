package nodes

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// hold is what a drain waits for on a node.
type hold struct {
	words string // "" if nothing was found
	ref   evidence.Ref
	fill  map[string]string
}

// holdUp finds what blocks the drain of the node: a PodDisruptionBudget that allows no eviction, a pod that does not terminate, or
// no capacity for evicted pods.
func holdUp(p *triage.Pass, budgets mechanics.Budgets, n *evidence.Node) hold {
	if b := facts.Holding(p, budgets, n); b != nil {
		return hold{"for PodDisruptionBudget " + b.Namespace + "/" + b.Name, facts.PDBRef(b), map[string]string{"pdb": b.Name, "namespace": b.Namespace}}
	}
	for _, pod := range p.Snapshot.PodsOn(n.Name) {
		if pod.Deleted.IsZero() || mechanics.Replaces(pod) == mechanics.OnSameNode || endsSoon(p, pod) {
			continue
		}
		what := fmt.Sprintf("for pod %s, which does not end within its grace period of %ds", pod.Key(), pod.Grace)
		if hooked(pod) {
			what = fmt.Sprintf("for pod %s, whose preStop hook and grace period can take %ds", pod.Key(), pod.Grace)
		}
		if e := mechanics.EndingIn(p.Snapshot, pod, p.Now); e.Holder == mechanics.HeldByFinalizer {
			what = "for pod " + pod.Key() + ", blocked by its finalizers " + strings.Join(e.Finalizers, ", ")
		}
		return hold{what, facts.PodRef(pod, ".metadata.deletionTimestamp", "deletion due %s, grace %ds", pod.Deleted.Format("15:04:05Z"), pod.Grace),
			map[string]string{"pod": pod.Name, "namespace": pod.Namespace}}
	}
	for _, pod := range p.Snapshot.PodsOn("") {
		if short := facts.NoRoom(pod); short != "" && !facts.Young(p, pod) {
			return hold{fmt.Sprintf("for capacity: pod %s fits on no node (%s)", pod.Key(), short),
				facts.PodRef(pod, ".status.conditions[PodScheduled]", "%s", pod.Condition("PodScheduled").Message), nil}
		}
	}
	return hold{}
}

// endsSoon reports whether a pod that is being deleted is still within a short grace period.
func endsSoon(p *triage.Pass, pod *evidence.Pod) bool {
	late, known := p.Age(pod.Deleted)
	return known && late < 0 && pod.Grace < int64(facts.LongGrace.Seconds())
}

// hooked reports whether a container of the pod has a preStop hook.
func hooked(pod *evidence.Pod) bool {
	return pod.Spec != nil && slices.ContainsFunc(pod.Spec.Containers, func(c corev1.Container) bool {
		return c.Lifecycle != nil && c.Lifecycle.PreStop != nil
	})
}

// runningOperation returns the operation on a pool that started and has no known end. It proves that an upgrade is running, and
// shows who started it.
func runningOperation(p *triage.Pass, pool string) *evidence.CloudActivity {
	var last *evidence.CloudActivity
	ended := map[string]bool{}
	for _, a := range p.Snapshot.Data().CloudActivities {
		operation := strings.ToLower(a.Operation)
		ofPool := strings.EqualFold(facts.LastSegment(a.Resource), pool) && strings.Contains(strings.ToLower(a.Resource), "/agentpools/")
		changes := strings.Contains(operation, "agentpools/write") || strings.Contains(operation, "upgradenodeimageversion")
		if !ofPool || !changes {
			continue
		}
		switch strings.ToLower(a.Status) {
		case "succeeded", "failed", "canceled":
			ended[a.ID] = true
		default:
			if last == nil || begins(a, last) {
				last = a
			}
		}
	}
	if last == nil || ended[last.ID] {
		return nil
	}
	return last
}

// begins reports whether an entry starts a later operation than another entry, or is an earlier step of the same operation.
func begins(a, than *evidence.CloudActivity) bool {
	if a.ID == than.ID {
		return a.Time.Before(than.Time)
	}
	return a.Time.After(than.Time)
}

// stalled reports whether an operation makes no progress, and adds that to the claim. No node is cordoned, and none came up for
// twice the time that one may take.
func stalled(p *triage.Pass, c *triage.Claim, running *evidence.CloudActivity, nodes []*evidence.Node) bool {
	last, what := running.Time, "since it started"
	for _, n := range nodes {
		if up := facts.CameUp(n); up.After(last) {
			last, what = up, "since "+n.Name+" came up"
		}
	}
	age, known := p.Age(last)
	if known && age > 2*drainLimit {
		c.Says = "upgrade-stuck"
		c.Certainty = triage.Likely // the cloud may do something that the cluster does not show
		c.Summary += fmt.Sprintf("; no node has been cordoned or replaced %s, %s ago", what, wording.Duration(age))
		return true
	}
	return false
}
