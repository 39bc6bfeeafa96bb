package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// budgetNever finds PodDisruptionBudgets that block every drain of the nodes of their pods.
func (r *reviewer) budgetNever() {
	for _, b := range r.s.Data().PDBs {
		if mechanics.SyncFailed(b) != "" || !mechanics.NeverAllows(b) {
			continue
		}
		needed := "all pods are required"
		if b.Counted() {
			needed = fmt.Sprintf("%d of %d pods are required", b.Status.DesiredHealthy, b.Status.ExpectedPods)
		}
		pods := clusterview.PodsOf(r.s, b)
		past := r.waysPast(b, pods)
		r.add(subjectOf(b), plan.Join(fmt.Sprintf("%s (%s)", needed, mechanics.Bound(b)), hangs(pods), clusterview.OwnedBy(b)), past[0].Commands...)
		r.take(past[0].What, past[0].Harm)
		if r.found.Or == nil {
			r.found.Or = past[1:]
		}
	}
}

// take adds to the fix which way its commands take, and the risk of that way.
func (r *reviewer) take(what, harm string) {
	says := ""
	if what != "" {
		says = ". The command does this: " + what
	}
	if harm != "" {
		says += ". Risk: " + harm
	}
	if !strings.Contains(r.found.Fix, says) {
		r.found.Fix += says
	}
}

// hangs names the nodes whose drain the pods block.
func hangs(pods []*evidence.Pod) string {
	var nodes []string
	seen := map[string]bool{}
	for _, p := range pods {
		if p.Node != "" && !p.Finished() && !seen[p.Node] {
			seen[p.Node] = true
			nodes = append(nodes, p.Node)
		}
	}
	if len(nodes) == 0 {
		return ""
	}
	if len(nodes) == 1 {
		return "a drain of " + nodes[0] + " never completes"
	}
	return "drains of " + wording.First(nodes, 3) + " never complete"
}

// waysPast returns the ways past a PodDisruptionBudget that never allows an eviction, the one with the least risk first: the
// same that drain and upgrade name.
func (r *reviewer) waysPast(b *evidence.PDB, pods []*evidence.Pod) []plan.Way {
	allow := allowOne(b, pods)
	if len(pods) != 1 {
		return []plan.Way{allow}
	}
	w := r.SingleReplica(pods[0])
	if w == nil || clusterview.SecondFits(r.board, pods[0]) == placement.Pending {
		return []plan.Way{allow}
	}
	surge, scale := clusterview.SecondReplica(w, pods[0].Node)
	return []plan.Way{scale, surge, allow}
}

// allowOne lets the PodDisruptionBudget allow an eviction. With maxUnavailable it expects only pods with a controller, and it
// allows no eviction if it expects none (kubernetes pkg/controller/disruption/disruption.go getExpectedScale and
// updatePdbStatus, v1.36.3).
func allowOne(b *evidence.PDB, pods []*evidence.Pod) plan.Way {
	managed := func(p *evidence.Pod) bool { return p.Partial || p.Owner != (evidence.Owner{}) }
	if len(pods) > 0 && !slices.ContainsFunc(pods, managed) {
		return plan.Way{What: "allow all disruptions, because maxUnavailable needs pods with a controller",
			Commands: []shell.Text{shell.Format(`kubectl patch pdb -n {namespace} {pdb} --type=merge -p '{"spec":{"minAvailable":0,"maxUnavailable":null}}'`, b.Namespace, b.Name)},
			Harm:     "all pods of the PodDisruptionBudget can be evicted at the same time"}
	}
	return plan.Way{What: "allow one disruption",
		Commands: []shell.Text{shell.Format(`kubectl patch pdb -n {namespace} {pdb} --type=merge -p '{"spec":{"minAvailable":null,"maxUnavailable":1}}'`, b.Namespace, b.Name)},
		Harm:     "one pod at a time is down while it moves to another node"}
}

// mostTried limits for how many workloads a second pod is tried.
const mostTried = 100

// singleReplica finds workloads that are down while their only pod moves.
func (r *reviewer) singleReplica() {
	pods := map[evidence.Subject]*evidence.Pod{}
	for _, p := range r.s.Data().Pods {
		if w := r.TopOwnerOf(p); w != nil && !p.Finished() {
			pods[w.Subject()] = p
		}
	}
	tried := 0
	for _, w := range r.s.Data().Workloads {
		if !clusterview.OnlyReplica(w) || w.Owner != (evidence.Owner{}) {
			continue
		}
		only := pods[w.Subject()]
		if only == nil || tried == mostTried || r.SingleReplica(only) == nil {
			r.add(w.Subject(), "1 replica"+r.noCopy(only))
			continue
		}
		tried++
		if clusterview.SecondFits(r.board, only) == placement.Pending {
			r.add(w.Subject(), "1 replica"+noSecond(only))
			continue
		}
		_, scale := clusterview.SecondReplica(w)
		r.add(w.Subject(), "1 replica", scale.Commands...)
	}
}

// noCopy says why a second pod would not have the same data.
func (r *reviewer) noCopy(only *evidence.Pod) string {
	if only == nil || r.NoCopy(only) == "" {
		return ""
	}
	return "; " + r.NoCopy(only)
}

// noSecond says why a second pod is no help.
func noSecond(only *evidence.Pod) string {
	if only.Node == "" {
		return ", and its pod is Pending. A second replica would also stay Pending"
	}
	return "; a second pod fits on no other node"
}
