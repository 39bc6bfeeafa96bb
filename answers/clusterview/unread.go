package clusterview

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// Rests are the kinds needed to decide where pods of nodes can go and what blocks them.
var Rests = []evidence.Kind{
	evidence.Nodes, evidence.Pods, evidence.PDBs, evidence.Workloads, evidence.Claims, evidence.Volumes, evidence.VolumeAttachments,
	evidence.CSINodes, evidence.PriorityClasses, evidence.StorageClasses, evidence.CSIDrivers, evidence.StorageCapacities, evidence.Namespaces,
	evidence.Leases, evidence.Webhooks, evidence.Endpoints, evidence.Policies, evidence.Mutations,
}

// askable are those kinds that a dry run of the request can replace.
var askable = []evidence.Kind{evidence.Webhooks, evidence.Policies, evidence.Mutations}

// Unread lists what the drain plan of these nodes needs and the evidence does not contain. moving: pods need another node.
func (v *View) Unread(nodes []string, moving bool) []triage.NotChecked {
	out := triage.ReadInPart(v.Snapshot, slices.DeleteFunc(slices.Clone(Rests), func(k evidence.Kind) bool { return slices.Contains(askable, k) })...)
	none := func(k evidence.Kind) bool { return v.Covers(k) == evidence.NotRead && len(v.Incomplete(k)) == 0 }
	add := func(what, why string, how shell.Text) {
		out = append(out, triage.NotChecked{What: what, Why: why, How: how})
	}
	if none(evidence.Pods) {
		add("which pods are running on the nodes", "pods are not in the evidence", "kubectl get pods -A -o json")
	}
	if none(evidence.PDBs) {
		add("which PodDisruptionBudgets select the pods", "PodDisruptionBudgets are not in the evidence", "kubectl get pdb -A -o json")
	}
	if moving && v.OpenNodes() == 0 && v.Covers(evidence.Nodes) != evidence.Complete {
		add("whether another node accepts the pods", "the evidence contains no other schedulable node, and may not contain all nodes", "kubectl get nodes,pods -A -o json")
	}
	for _, n := range nodes {
		for _, p := range v.PodsOn(n) {
			if p.Partial {
				add("what blocks the eviction of pods from node "+n, "pods were read from a table, without labels, owners and volumes", "kubectl get pods -A -o json")
				break
			}
		}
	}
	for _, pdb := range v.Data().PDBs {
		if pdb.Partial {
			add("which pods the PodDisruptionBudgets select", "they were read from a table, without selectors", "kubectl get pdb -A -o json")
			break
		}
	}
	return out
}

// UnreadAdmission lists what could not be read of a live cluster's admission, and how to find out what it rejects. The text is
// the unknown side effect; "" if all is known.
func (v *View) UnreadAdmission(how shell.Text) (out []triage.NotChecked, unknown string) {
	ask := func(what string, kinds ...evidence.Kind) {
		for _, n := range triage.ReadInPart(v.Snapshot, kinds...) {
			out = append(out, triage.NotChecked{What: what, Why: n.What + ": " + n.Why, How: how})
		}
	}
	ask("whether a webhook rejects evictions", evidence.Webhooks)
	ask("whether an admission policy denies evictions", evidence.Policies)
	ask("whether a MutatingAdmissionPolicy changes new pods and their placement", evidence.Mutations)
	if v.Data().Source.Kind != "cluster" {
		return out, ""
	}
	if v.Covers(evidence.Webhooks) == evidence.NotRead && len(v.Incomplete(evidence.Webhooks)) == 0 {
		out = append(out, triage.NotChecked{What: "whether a webhook rejects evictions", Why: "webhook configurations were not read", How: how})
	}
	if v.Covers(evidence.Policies) != evidence.Complete && len(v.Incomplete(evidence.Policies)) == 0 {
		out = append(out, triage.NotChecked{What: "whether an admission policy denies evictions", Why: "admission policies and their bindings were not read", How: how})
	}
	if v.Covers(evidence.Mutations) != evidence.Complete {
		unknown = "it is unknown whether a MutatingAdmissionPolicy changes new pods and their placement: the policies could not be read"
	}
	return out, unknown
}
