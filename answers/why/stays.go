package why

import (
	"fmt"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/admission"
	"github.com/nodetriage/nodetriage/wording"
)

// stays lists what would reject the eviction of a healthy pod on a cordoned node.
func (a *asker) stays(p *evidence.Pod, out *Pod) {
	n := a.s.Node(p.Node)
	if n == nil || !n.Spec.Unschedulable || mechanics.TiedToNode(p) {
		return
	}
	for _, r := range a.denials(admission.Eviction(p)) {
		out.Because = append(out.Because, Fact{Source: "validatingadmissionpolicy/" + r.Policy, Text: r.String()})
	}
	if mechanics.AsksBudgets(p) {
		if a.budgets == nil {
			a.budgets = mechanics.NewBudgets(a.s.Data().PDBs)
		}
		held := a.budgets.Of(p)
		for _, b := range held {
			if len(held) > 1 {
				out.Because = append(out.Because, Fact{Source: "pdb/" + b.Name, Text: fmt.Sprintf("the pod matches %d PodDisruptionBudgets, and the eviction API rejects such pods", len(held))})
			} else if mechanics.Answer(b, p.Ready) == mechanics.Refused {
				out.Because = append(out.Because, Fact{Source: "pdb/" + b.Name, Text: fmt.Sprintf("it allows no disruption now: %d healthy, %d required", b.Status.CurrentHealthy, b.Status.DesiredHealthy)})
			}
		}
	}
	if len(out.Because) > 0 {
		out.Summary += "; the node is cordoned, but an eviction of the pod is rejected now"
		out.Do = []Step{{What: "show what a drain of the node would do, and the least disruptive way", Commands: []shell.Text{shell.Format("nodetriage drain {node} --plan", p.Node)}}}
	}
}

// kept reports whether a policy prevents the kubelet from removing an overdue pod, and adds it to the answer.
func (a *asker) kept(p *evidence.Pod, out *Pod) bool {
	list := a.denials(admission.LastDelete(p))
	if len(list) == 0 {
		return false
	}
	r := list[0]
	out.Waits = "policy"
	out.Summary = fmt.Sprintf("should have been deleted %s ago: the kubelet of %s is not allowed to delete it: %s", wording.Duration(a.now.Sub(p.Deleted)), p.Node, r)
	out.Because = []Fact{{Source: "validatingadmissionpolicy/" + r.Policy, Text: r.String()}}
	out.Do = []Step{{What: "exempt kubelets in the policy: matchConditions with !('system:nodes' in request.userInfo.groups)",
		Commands: []shell.Text{shell.Format("kubectl get validatingadmissionpolicy {policy} -o yaml", r.Policy), shell.Format("kubectl get validatingadmissionpolicybinding {binding} -o yaml", r.Binding)}}}
	return true
}

// denials returns the policies that certainly reject the request.
func (a *asker) denials(r admission.Request) []admission.Refusal {
	if a.policies == nil {
		a.policies = admission.New(a.s)
	}
	var out []admission.Refusal
	for _, x := range a.policies.Refusals(r) {
		if x.Certain {
			out = append(out, x)
		}
	}
	return out
}
