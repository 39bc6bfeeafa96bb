package check

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/wording"
)

// mostNodes is the maximum number of nodes that are removed one by one. In a larger cluster these are the fullest.
const mostNodes = 50

func (r *reviewer) nodeHeadroom() {
	if len(r.s.Data().Nodes) == 1 {
		r.moot = true // its pods have nowhere to go anyway
		return
	}
	var names []string
	for _, n := range r.s.Data().Nodes {
		if len(r.moving(n.Name)) > 0 {
			names = append(names, n.Name)
		}
	}
	if len(names) > mostNodes {
		slices.SortStableFunc(names, func(a, b string) int { return len(r.s.PodsOn(b)) - len(r.s.PodsOn(a)) })
		r.unknown(fmt.Sprintf("the loss of %d nodes", len(names)-mostNodes), fmt.Sprintf("only the %d nodes with the most pods were simulated", mostNodes), "nodetriage drain NODE --plan")
		names = names[:mostNodes]
	}
	for _, name := range names {
		r.without("node "+name, r.s.Node(name).Subject(), "", name)
	}
}

func (r *reviewer) zoneHeadroom() {
	zones := map[string][]string{}
	for _, n := range r.s.Data().Nodes {
		if z := n.Labels[corev1.LabelTopologyZone]; z != "" {
			zones[z] = append(zones[z], n.Name)
		}
	}
	if len(zones) < 2 {
		r.moot = true
		return
	}
	names := slices.Sorted(maps.Keys(zones))
	for i, z := range names {
		r.without("zone "+z, evidence.Subject{Kind: "Zone", Name: z}, names[(i+1)%len(names)], zones[z]...)
	}
}

// without removes nodes and checks where their pods can run. A pod that could not run on an additional node of that shape and
// zone either is set aside, because capacity is not its problem.
func (r *reviewer) without(what string, on evidence.Subject, zone string, nodes ...string) {
	if r.board == nil {
		r.unknown("where the pods of "+what+" would be scheduled", "this program has no scheduler", "")
		return
	}
	var pods []*evidence.Pod
	for _, n := range nodes {
		pods = append(pods, r.moving(n)...)
	}
	if owners := r.foreign(nodes); len(owners) > 0 {
		r.unknown("the effect of losing "+what+" on "+wording.Some(owners), "it is unknown whether controllers of these kinds recreate their pods: they are not counted", "")
	}
	var homeless []string
	words, unknown, changed := "", 0, ""
	for i, answer := range placement.Evacuate(r.board, pods, nodes) {
		if change := r.Policies.Changed(pods[i]); change != nil {
			answer.Verdict, changed = placement.Unknown, change.String()
		}
		switch answer.Verdict {
		case placement.Pending:
			n := r.s.Node(pods[i].Node)
			if detail, _ := r.tied(pods[i], further(n, zone)); detail != "" {
				if _, local := r.tied(pods[i], further(n, "")); !local { // another check reports a volume on one node
					r.ties = append(r.ties, tie{r.subject(pods[i]), detail})
				}
				continue
			}
			homeless = append(homeless, pods[i].Key())
			if words == "" {
				words = answer.Message
			}
		case placement.Unknown:
			unknown++
		}
	}
	switch {
	case len(homeless) > 0:
		fit := "fit"
		if len(homeless) == 1 {
			fit = "fits"
		}
		r.add(on, fmt.Sprintf("%d of %s %s on no other node: %s (%s)", len(homeless), wording.Count(len(pods), "pod"), fit, wording.Some(homeless), words))
	case changed != "":
		r.unknown(fmt.Sprintf("where %s of %s would be scheduled", wording.Count(unknown, "pod"), what), changed, "kubectl get mutatingadmissionpolicies,mutatingadmissionpolicybindings -o yaml")
	case unknown > 0:
		r.unknown(fmt.Sprintf("where %s of %s would be scheduled", wording.Count(unknown, "pod"), what), "the free capacity of some nodes is not in the evidence", "kubectl get nodes,pods -A -o json")
	}
}

// foreign returns the operators' objects with pods on the nodes.
func (r *reviewer) foreign(nodes []string) []string {
	var out []string
	for _, n := range nodes {
		for _, p := range r.s.PodsOn(n) {
			if name := p.Owner.Kind + " " + p.Namespace + "/" + p.Owner.Name; mechanics.Foreign(p) && !p.Finished() && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// moving lists the pods of the node that are certainly created again elsewhere.
func (r *reviewer) moving(node string) []*evidence.Pod {
	var out []*evidence.Pod
	for _, p := range r.s.PodsOn(node) {
		if action, _ := mechanics.DrainOf(p); action == mechanics.Evict && !p.Finished() && mechanics.Replaced(p) && !p.Partial {
			out = append(out, p)
		}
	}
	return out
}
