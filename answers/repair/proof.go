package repair

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Proof is the evidence that judges a finished repair.
type Proof struct {
	Before, After *triage.Report
	Since         time.Time // when the change began: earlier log entries do not count
	Snapshot      *evidence.Snapshot
	Standing      *cloud.Standing // nil: the target no longer exists
}

// Missing lists conditions for the end of a repair that are not true yet; empty: it worked. An unknown condition is not true.
func Missing(action cloud.Verb, subject evidence.Subject, want int, p Proof) []string {
	r := &target{s: p.Snapshot, opt: Options{Action: action, Subject: subject}}
	var missing []string
	add := func(format string, args ...any) { missing = append(missing, fmt.Sprintf(format, args...)) }
	if p.Standing != nil {
		r.st = *p.Standing
	}
	r.find()
	switch action {
	case cloud.DeletePool:
		if p.Standing != nil {
			add("pool %s still exists: %s", subject.Name, r.state())
		}
		if len(r.nodes) > 0 {
			add("%s of it still exist", wording.Count(len(r.nodes), "node"))
		}
		return missing
	case cloud.DeleteMachine:
		if p.Snapshot.Node(subject.Name) != nil {
			add("node %s still exists", subject.Name)
		}
		return missing
	}
	if p.Standing == nil {
		add("its state in the cloud could not be read")
		return missing
	}
	u := r.unit()
	state := u.Provisioning
	if r.st.Machine != nil {
		state = r.st.Machine.Provisioning
	}
	switch {
	case action == cloud.Abort:
		if !u.Settled() {
			add("its state in the cloud is %s", state)
		}
		return missing
	case state != "Succeeded":
		add("its state in the cloud is %s", state)
	}
	switch action {
	case cloud.AddPool, cloud.ScalePool:
		ready := 0
		for _, n := range r.nodes {
			if n.Ready() == evidence.True {
				ready++
			}
		}
		if ready < want || action == cloud.ScalePool && len(r.nodes) != want {
			add("%d of %d nodes are Ready", ready, want)
		}
		return missing
	}
	if action == cloud.UpgradeImage {
		for _, n := range r.nodes {
			if n.Ready() != evidence.True || n.Spec.Unschedulable {
				add("node %s is NotReady or cordoned", n.Name)
			}
		}
		if len(r.nodes) == 0 || r.upgradePending() {
			add("the nodes of the pool have different images")
		}
	}
	if action == cloud.Reconcile {
		if g := r.counts(); g.State != Passed {
			add("%s", g.Why)
		}
		if r.upgradePending() {
			add("an upgrade has not finished: nodes differ in version or image, or are quarantined")
		}
	}
	if action == cloud.Refresh && r.st.Machine != nil && r.st.Machine.Latest == evidence.False {
		add("the VM does not have the latest model")
	}
	if subject.Kind == "Node" && (len(r.nodes) == 0 || r.nodes[0].Ready() != evidence.True) {
		add("node %s is NotReady", subject.Name)
	}
	for _, f := range r.still(p) {
		add("still found: %s: %s", f.Cause, f.Summary)
	}
	return missing
}

// still returns the findings about the target that remain. A cordon is ignored until the end.
func (r *target) still(p Proof) []triage.Finding {
	var out []triage.Finding
	if p.Before == nil || p.After == nil {
		return nil
	}
	for _, f := range p.After.Findings {
		before := slices.ContainsFunc(p.Before.Findings, func(b triage.Finding) bool { return b.Cause == f.Cause && r.about(b) })
		if before && r.about(f) && fresh(f, p.Since) && !strings.HasPrefix(f.Cause, "cordon") {
			out = append(out, f)
		}
	}
	return out
}

// fresh reports whether the evidence of a finding is newer than since, or is a state and not a log entry.
func fresh(f triage.Finding, since time.Time) bool {
	return len(f.Evidence) == 0 || slices.ContainsFunc(f.Evidence, func(e evidence.Ref) bool { return e.ObservedAt.IsZero() || e.ObservedAt.After(since) })
}

// mostClosely is how many nodes of a pool or cluster are verified with their kubelets, logs and pods. The others are verified
// only with the API server and the cloud.
const mostClosely = 10

// Concerned returns the nodes of the pool or cluster that is changed. Up to a limit, it selects nodes for close verification:
// those with earlier findings and those that joined since the change began. If all get another image, it selects all.
func Concerned(s *evidence.Snapshot, action cloud.Verb, subject evidence.Subject, before *triage.Report, since time.Time) (closely, others []string) {
	for _, n := range s.Data().Nodes {
		if _, pool := n.PoolLabel(); subject.Kind == "Pool" && pool != subject.Name {
			continue
		}
		found := before != nil && slices.ContainsFunc(before.Findings, func(f triage.Finding) bool {
			return f.Subject == n.Subject() || slices.Contains(f.Subjects, n.Subject())
		})
		if len(closely) < mostClosely && (found || action == cloud.UpgradeImage || n.CreationTimestamp.After(since)) {
			closely = append(closely, n.Name)
		} else {
			others = append(others, n.Name)
		}
	}
	return closely, others
}
