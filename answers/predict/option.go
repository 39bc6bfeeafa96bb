package predict

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// choice is an option, as a change of the simulation from the time of the evidence.
type choice struct {
	name, title string
	risk        string // like the risk of a remedy
	change      func(*simulation, *simNode)
	act         userAct
	commands    func(*simulation) []shell.Text
	danger      func(*simulation, int) []string // with the number of stateful pods
}

// markOutOfService returns the command that marks the nodes.
func markOutOfService(nodes ...string) shell.Text {
	return "kubectl taint node " + shell.Words("node", nodes...) + " node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"
}

// choices are sorted by risk, the least first.
var choices = []choice{
	{"wait", "Do nothing", "none", func(*simulation, *simNode) {}, nothing, nil, waitDanger},
	{"bring-back", "Bring the node back: start the VM, its kubelet or its network", "low", func(sim *simulation, m *simNode) { m.back = sim.now }, nothing, nil, nil},
	{"delete-pods", "Delete the pods (the kubelet completes it)", "low", func(*simulation, *simNode) {}, deletePods, deleteCommands(""), func(sim *simulation, stateful int) []string {
		out := sim.bareDanger()
		if stateful == 0 {
			return out
		}
		return append(out, "does not help StatefulSets: the pod stays Terminating until the kubelet answers")
	}},
	{"out-of-service", "Mark the node as out of service", "high", func(sim *simulation, m *simNode) { m.outOfService = sim.now }, nothing, func(sim *simulation) []shell.Text { return []shell.Text{markOutOfService(sim.names()...)} }, func(sim *simulation, stateful int) []string {
		out := []string{"only if the VM is certainly off: volumes are detached immediately, without a check"}
		out = append(append(out, sim.bareDanger()...), sim.secondCopyDanger(stateful)...)
		return append(out, "deletes all pods without a toleration, including DaemonSet pods; remove the taint manually when the node is back")
	}},
	{"force-delete", "Delete the pods by force", "high", func(*simulation, *simNode) {}, forceDelete, deleteCommands(" --force --grace-period=0"), func(sim *simulation, stateful int) []string {
		out := []string{"deletes only the objects: running containers keep running, unknown to the cluster"}
		return append(append(out, sim.bareDanger()...), sim.secondCopyDanger(stateful)...)
	}},
	{"delete-node", "Delete the Node object", "high", func(sim *simulation, m *simNode) { m.deleted = sim.now }, nothing, nodeCommands("kubectl delete node {node}"), func(sim *simulation, stateful int) []string {
		out := []string{"force-deletes all its pods, including DaemonSet pods, and its labels and taints; a running kubelet registers again only after a restart"}
		return append(append(out, sim.bareDanger()...), sim.secondCopyDanger(stateful)...)
	}},
}

func waitDanger(sim *simulation, stateful int) []string {
	if stateful == 0 {
		return nil
	}
	return []string{"safe for data; StatefulSets miss pods until the node answers"}
}

// secondCopyDanger describes the danger of a second copy of a pod that must exist only once.
func (sim *simulation) secondCopyDanger(stateful int) []string {
	if stateful == 0 {
		return nil
	}
	return []string{fmt.Sprintf("pods that must exist only once: %d. If the VM or its containers are still running, two instances can write at the same time; power the VM off first", stateful)}
}

// bareDanger names the pods that are lost when they are deleted, because no controller creates them again.
func (sim *simulation) bareDanger() []string {
	var names []string
	for _, p := range sim.pods {
		if p.Owner == (evidence.Owner{}) && !mechanics.TiedToNode(p) && !p.Finished() {
			names = append(names, p.Key())
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"these pods have no controller and are not recreated: " + wording.Some(names) + "; save them first: kubectl get pod -n NAMESPACE NAME -o yaml"}
}

func (sim *simulation) names() []string {
	var out []string
	for _, m := range sim.list {
		out = append(out, m.name)
	}
	return out
}

func nodeCommands(text shell.Text) func(*simulation) []shell.Text {
	return func(sim *simulation) []shell.Text {
		var out []shell.Text
		for _, m := range sim.list {
			out = append(out, shell.Format(text, m.name))
		}
		return out
	}
}

// deleteCommands returns commands that name the pods, by namespace.
func deleteCommands(flags shell.Text) func(*simulation) []shell.Text {
	return func(sim *simulation) []shell.Text {
		names := map[string][]string{}
		var order []string
		for _, p := range sim.pods {
			if !mechanics.TiedToNode(p) {
				if names[p.Namespace] == nil {
					order = append(order, p.Namespace)
				}
				names[p.Namespace] = append(names[p.Namespace], p.Name)
			}
		}
		var out []shell.Text
		for _, ns := range order {
			out = append(out, shell.Format("kubectl delete pod -n {namespace} ", ns)+shell.Words("pod", names[ns]...)+flags+" --wait=false")
		}
		return out
	}
}

// options simulates each choice.
func (sim *simulation) options() []Option {
	out := []Option{}
	for _, c := range choices {
		other, err := newSimulation(sim.snap, sim.sc)
		if err != nil {
			return out // it worked the first time
		}
		other.act, other.board = c.act, sim.board
		for _, m := range other.list {
			c.change(other, m)
		}
		other.zones = other.newZones()
		out = append(out, other.option(c))
	}
	return out
}

func (sim *simulation) option(c choice) Option {
	o := Option{Name: c.name, Title: c.title, Risk: c.risk, Commands: []shell.Text{}, Danger: []string{}}
	if c.commands != nil {
		o.Commands = append(o.Commands, c.commands(sim)...)
	}
	j := sim.join()
	sim.place(j)
	var gone, restored, alone bounds
	for _, p := range sim.pods {
		k := j.pods[p]
		if k.gone.seen && !k.gone.missing {
			o.Gone++
			gone.from, gone.to, gone.seen = max(gone.from, k.gone.from), max(gone.to, k.gone.to), true
		}
		if mechanics.TiedToNode(p) || p.Owner == (evidence.Owner{}) || p.Finished() {
			continue
		}
		o.RestoredOf++
		single := mechanics.Replaces(p) == mechanics.WhenGone || volumeNames(sim.ties[p], exclusive) != ""
		if single {
			o.StatefulOf++
		}
		a := sim.restored(j, []*evidence.Pod{p})
		if a.missing {
			continue
		}
		o.Restored++
		if !a.seen {
			if single {
				o.Stateful++ // it kept running
			}
			continue
		}
		restored.from, restored.to, restored.seen = max(restored.from, a.from), max(restored.to, a.to), true
		if single {
			o.Stateful++
			alone.from, alone.to, alone.seen = max(alone.from, a.from), max(alone.to, a.to), true
		}
	}
	o.GoneAt, o.RestoredAt, o.StatefulAt = gone.interval(), restored.interval(), alone.interval()
	if c.danger != nil {
		o.Danger = append(o.Danger, c.danger(sim, o.StatefulOf)...)
	}
	return o
}
