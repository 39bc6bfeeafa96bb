package cloud

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// Initialization finds nodes that no cloud controller initialized, if the taint is missing or was not read: old, without a provider
// ID and without an address. A broken cloud controller makes it likely.
var Initialization = &triage.Rule{
	ID:    "cloud-initialization",
	Doc:   "Finds nodes without provider ID and address, and cloud controllers that are not running.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Pods},
	Check: func(p *triage.Pass) {
		controller, seen := brokenController(p)
		for _, n := range p.Snapshot.Nodes() {
			tainted := n.Taint("node.cloudprovider.kubernetes.io/uninitialized") != nil
			bare := n.Spec.ProviderID == "" && facts.InternalIP(n) == ""
			age, known := p.Age(n.CreationTimestamp.UTC())
			switch {
			case n.Partial || facts.NewNode(p, n):
			case !bare && !tainted:
				if n.NotReady() && n.Spec.ProviderID != "" && facts.Recent(p, n) {
					p.RuleOut("cloud-provider-uninitialized", n.Subject(), "it has a provider ID")
				}
			case controller != nil:
				p.Found(triage.Claim{
					Says: "cloud-provider-uninitialized", Subject: n.Subject(), Certainty: triage.Likely, Key: "controller",
					Evidence: []evidence.Ref{
						facts.PodRef(controller, ".status", "%s, %d restarts", controller.Status, controller.Restarts),
						facts.NodeRef(n, ".spec.providerID", "%q; number of addresses: %d", n.Spec.ProviderID, len(n.Node.Status.Addresses)),
					},
					Summary: "the cloud controller " + controller.Key() + " is not running, so the node is not initialized",
				})
			case bare && !tainted && n.Ready() == evidence.True: // it works without
			case bare && !tainted && !known:
				p.Unknown("whether "+n.Name+" is waiting for the cloud controller", "it has neither provider ID nor address, and its age is unknown", shell.Format("kubectl get node {node} -o yaml", n.Name))
			case bare && !tainted && !seen:
				p.Found(triage.Claim{
					Says: "cloud-provider-uninitialized", Subject: n.Subject(), Certainty: triage.Possible, Key: "bare",
					Evidence: []evidence.Ref{facts.NodeRef(n, ".status.addresses", "none; no provider ID; created %s ago", wording.Duration(age))},
					Summary:  "the node has neither address nor provider ID " + wording.Duration(age) + " after its creation",
				})
			}
		}
	},
}

// brokenController returns a cloud controller pod that does not work, and whether one that works was seen.
func brokenController(p *triage.Pass) (broken *evidence.Pod, works bool) {
	for _, pod := range p.Snapshot.Pods() {
		if !cloudController(pod.Name) || pod.Phase == corev1.PodSucceeded || !pod.Stated() {
			continue
		}
		switch {
		case pod.Works():
			works = true
		case !facts.Young(p, pod) && broken == nil:
			broken = pod
		}
	}
	if works {
		return nil, true // one of several replicas is the leader
	}
	return broken, false
}

// cloudController reports whether pods of this name set the addresses and provider IDs of nodes. Their operator does not.
func cloudController(name string) bool {
	named := strings.Contains(name, "cloud-controller-manager") || strings.Contains(name, "vsphere-cpi")
	return named && !strings.Contains(name, "operator")
}
