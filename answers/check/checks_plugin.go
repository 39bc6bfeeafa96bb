package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// agentOn is a network agent with known requirements, and its node.
type agentOn struct {
	mechanics.PluginNeeds
	release string
	node    *evidence.Node
}

// networkAgents calls f for each network agent on a known node.
func (r *reviewer) networkAgents(f func(a agentOn, owner evidence.Subject)) {
	for _, p := range r.s.Data().Pods {
		node := r.s.Node(p.Node)
		if node == nil || p.Spec == nil || p.Finished() {
			continue
		}
		for _, c := range p.Spec.Containers {
			if needs, release, known := mechanics.PluginOf(c.Image); known {
				f(agentOn{needs, release, node}, r.subject(p))
				break
			}
		}
	}
}

// pluginNeeds finds nodes whose kernel is too old for their network agent, or whose kubelet is incompatible with it.
func (r *reviewer) pluginNeeds() {
	r.networkAgents(func(a agentOn, _ evidence.Subject) {
		info := a.node.Node.Status.NodeInfo
		var why []string
		if a.KernelTooOld(info.KernelVersion) {
			why = append(why, fmt.Sprintf("kernel %s; it requires %s or later", info.KernelVersion, a.Kernel))
		}
		if !a.WorksWith(info.KubeletVersion) {
			why = append(why, fmt.Sprintf("kubelet %s; it does not support %s or older", info.KubeletVersion, a.Refuses))
		}
		if len(why) > 0 {
			r.add(evidence.NodeSubject(a.node.Name), a.Plugin+" "+a.release+" on "+strings.Join(why, "; "),
				shell.Format("kubectl get node {node} -o wide", a.node.Name))
		}
	})
}

// pluginUntested finds network agents whose release is not tested with the kubelet.
func (r *reviewer) pluginUntested() {
	versions := map[evidence.Subject][]string{}
	tells := map[evidence.Subject]agentOn{}
	var order []evidence.Subject
	r.networkAgents(func(a agentOn, owner evidence.Subject) {
		kubelet := a.node.Node.Status.NodeInfo.KubeletVersion
		if a.Tested(kubelet) || slices.Contains(versions[owner], kubelet) {
			return
		}
		if len(versions[owner]) == 0 {
			order, tells[owner] = append(order, owner), a
		}
		versions[owner] = append(versions[owner], kubelet)
	})
	for _, owner := range order {
		a := tells[owner]
		slices.Sort(versions[owner])
		r.add(owner, plan.Join(fmt.Sprintf("%s %s with kubelet %s", a.Plugin, a.release, wording.Some(versions[owner])),
			fmt.Sprintf("tested with %s to %s", a.Oldest, a.Newest)))
	}
}
