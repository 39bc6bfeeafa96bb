package system

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// StaticPods checks the static pods of the control plane: if they crash, that is a cause.
var StaticPods = &triage.Rule{
	ID:    "static-pods",
	Doc:   "Finds pods of API server, controller manager, scheduler and etcd that are not running although their node is Ready.",
	Needs: []evidence.Kind{evidence.Pods},
	Check: func(p *triage.Pass) {
		for _, part := range components.ControlPlanePods() {
			name, says := part.Name, part.Stopped()
			var broken []*evidence.Pod
			working := 0
			for _, pod := range p.Snapshot.Pods() {
				if pod.Namespace != "kube-system" || !isStatic(pod, name) || pod.Deleting() || !pod.Stated() {
					continue
				}
				if n := p.Snapshot.Node(pod.Node); n != nil && n.NotReady() {
					continue // the node is the reason
				}
				switch {
				case pod.Works():
					working++
				case !facts.Young(p, pod) || pod.Restarts > 2:
					broken = append(broken, pod)
				}
			}
			if len(broken) == 0 {
				if working > 0 {
					p.RuleOut(says, evidence.ClusterSubject(), fmt.Sprintf("%s of %s", wording.Count(working, "working pod"), name))
				}
				continue
			}
			pod := broken[0]
			c := triage.Claim{
				Says: says, Subject: evidence.ClusterSubject(), Certainty: triage.Possible, Key: name,
				Fill:     map[string]string{"pod": pod.Name, "namespace": pod.Namespace, "node": pod.Node},
				Evidence: []evidence.Ref{facts.PodRef(pod, ".status", "%s, %d restarts", pod.Status, pod.Restarts)},
				Summary:  fmt.Sprintf("%d of %d %s pods not running: %s is %s", len(broken), len(broken)+working, name, pod.Name, pod.Status),
			}
			if working == 0 {
				c.Certainty = triage.Likely
			}
			p.Found(c)
		}
	},
}

// isStatic reports whether the pod is the static pod of that component: a mirror pod, or in a table a name that ends with its
// node's.
func isStatic(pod *evidence.Pod, component string) bool {
	rest, ok := strings.CutPrefix(pod.Name, component+"-")
	if !ok || !pod.Partial {
		return ok && pod.Mirror
	}
	return pod.Node == rest
}
