package predict

import (
	"strings"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// acts returns what people can do about pods that nothing removes or replaces after the event, the least risk first. For nodes
// that are down now, Options has more, each simulated.
func (sim *simulation) acts(f *Forecast) []plan.Way {
	if sim.sc.Event == AlreadyDown {
		return nil
	}
	var out []plan.Way
	stuck, lost := false, []PodFate(nil)
	for i, p := range f.Pods {
		stuck = stuck || p.GoneAt == nil && p.DeletedAt != nil && sim.nodes[p.Node].staysDown()
		stuck = stuck || unreplaced(sim.pods[i], p.Replacement) && sim.nodes[p.Node].staysDown()
		if p.Fate == Lost {
			lost = append(lost, p)
		}
	}
	if len(lost) > 0 {
		out = append(out, saveFirst(lost))
	}
	if !stuck {
		return out
	}
	return append(out, plan.Way{What: "nothing, if " + sim.nodeOrNodes() + " will be back", Commands: []shell.Text{}},
		plan.Way{What: "if the VM is certainly off for good, mark it as out of service", Commands: []shell.Text{markOutOfService(f.Nodes...)},
			Harm: "if it is still running, two pods may write to one volume"})
}

// saveFirst is the way to keep pods that no controller recreates.
func saveFirst(lost []PodFate) plan.Way {
	out := plan.Way{What: "save pods without a controller before the event, and create them again", Harm: "none (read-only)"}
	for _, p := range lost[:min(len(lost), 3)] {
		out.Commands = append(out.Commands, shell.Format("kubectl get pod -n {namespace} {pod} -o yaml > {pod}.yaml", p.Namespace, p.Name, p.Name))
	}
	return out
}

func (sim *simulation) nodeOrNodes() string {
	if len(sim.list) == 1 {
		return "the node"
	}
	return "the nodes"
}

// ofDaemonSet reports whether the pod belongs to a DaemonSet, which needs no other node.
func (p *PodFate) ofDaemonSet() bool { return strings.HasPrefix(p.Owner, "DaemonSet/") }
