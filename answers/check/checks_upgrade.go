package check

import (
	"fmt"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// upgradeChecks check pools that will be upgraded.
var upgradeChecks = []check{
	{"upgrade-stuck", "Nodes at which the upgrade of their pool gets stuck", "fix the blockers of these pods before the upgrade", High,
		[]evidence.Kind{evidence.Pods}, (*reviewer).upgradeStuck},
	{"surge-headroom", "Pools whose pods are unschedulable while nodes are replaced", "raise the surge, add a node, or lower requests", High,
		[]evidence.Kind{evidence.Nodes, evidence.Pods}, (*reviewer).surgeHeadroom},
	{"upgrade-unmanaged", "Pods that the upgrade deletes and no controller recreates", "run them with a Deployment, a StatefulSet or a Job, or save them first", High,
		[]evidence.Kind{evidence.Pods}, (*reviewer).upgradeUnmanaged},
}

func (r *reviewer) upgradeStuck() {
	for _, u := range r.upgrades {
		for i, s := range u.Stuck {
			detail := "upgrade of pool " + u.Pool + ": " + s.Then
			for _, p := range s.Pods {
				for _, b := range p.Blockers {
					detail += fmt.Sprintf("; pod %s/%s: %s", p.Namespace, p.Name, b.Detail)
				}
			}
			var fix []shell.Text
			if i == 0 && u.First != nil {
				fix = u.First.Commands
			}
			r.add(evidence.NodeSubject(s.Node), detail, fix...)
			if len(fix) > 0 {
				r.take(u.First.What, u.First.Harm)
			}
		}
		r.out.NotChecked = append(r.out.NotChecked, u.NotChecked...)
	}
}

// surgeHeadroom finds pods that wait for a node, forever or until a replaced one returns.
func (r *reviewer) surgeHeadroom() {
	for _, u := range r.upgrades {
		pool := evidence.Subject{Kind: "Pool", Name: u.Pool}
		with := fmt.Sprintf("with %s more", wording.Count(u.Settings.Surge, "node"))
		switch {
		case len(u.Left) > 0:
			r.add(pool, fmt.Sprintf("%s unschedulable at the end, %s: %s (%s)", wording.Count(len(u.Left), "pod"), with, u.Left[0].Workload, u.Left[0].Says))
		case u.Peak.Pods > 0:
			r.add(pool, fmt.Sprintf("%s temporarily unschedulable, %s: %s (%s)", wording.Count(u.Peak.Pods, "pod"), with, wording.Some(u.Peak.Some), u.Peak.Says))
		}
	}
}

func (r *reviewer) upgradeUnmanaged() {
	for _, u := range r.upgrades {
		for _, n := range u.Nodes {
			for _, p := range r.s.PodsOn(n) {
				if action, _ := mechanics.DrainOf(p); action == mechanics.Evict && slices.Contains(mechanics.Loses(p), mechanics.ThePod) {
					r.add(p.Subject(), "on node "+n+" of pool "+u.Pool,
						shell.Format("kubectl get pod -n {namespace} {pod} -o yaml > {pod}.yaml", p.Namespace, p.Name, p.Name))
				}
			}
		}
	}
}
