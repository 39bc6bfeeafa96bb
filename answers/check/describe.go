package check

import "slices"

// Description is what a check looks for, why that is a risk, and how to fix it.
type Description struct {
	ID, Title, Why, Fix string
	Harm                Harm
}

// Described returns all checks, in the order in which they run.
func Described() []Description {
	var out []Description
	for _, c := range slices.Concat(checks, upgradeChecks, cloudChecks) {
		out = append(out, Description{c.id, c.title, reasons[c.id], c.fix, c.harm})
	}
	return out
}

// reasons are why the finding of a check is a risk, by its id.
var reasons = map[string]string{
	"budget-never":        "The PodDisruptionBudget never allows an eviction, even if all pods are healthy. Each drain of their nodes hangs, and so does each node upgrade.",
	"budget-not-computed": "The disruption controller cannot compute the PodDisruptionBudget. It then allows no eviction, and drains hang.",
	"several-budgets":     "The eviction API rejects a pod that is selected by more than one PodDisruptionBudget, with error 500. Drains hang.",
	"policy-refuses":      "An admission policy rejects the eviction of the pods. Drains hang until the policy or the pod changes.",
	"nodes-down":          "The remaining nodes already run the pods of these nodes. Maintenance now removes more capacity, and may destroy the evidence of the fault.",
	"only-node":           "All pods stop while the only node is drained, upgraded or replaced.",
	"node-headroom":       "If the node is drained or fails, some of its pods stay Pending, because no other node has enough allocatable resources for them.",
	"zone-headroom":       "If the zone fails, some of its pods stay Pending, because the other zones do not have enough resources.",
	"bound":               "A node selector, affinity or volume binds the pods to these nodes. They stay Pending while their nodes are down.",
	"certificate-expires": "After the certificate expires, the kubelet cannot authenticate, and the node becomes NotReady. It is reported when less than a sixth of its lifetime is left, at most 30 days; one day if the lifetime is unknown.",
	"version-skew":        "Kubernetes does not support a kubelet that is newer than the API server or too many minor versions older. APIs that it uses may be gone.",
	"plugin-needs":        "The network plugin does not support the node's kernel or kubelet. Pods on such nodes may start without network.",
	"budget-exhausted":    "The PodDisruptionBudget allows no eviction now, because pods are not healthy. Drains wait until they are.",
	"budget-suspended":    "A drain that was killed left the PodDisruptionBudget without effect. Evictions can now take the application down.",
	"surge-left":          "A drain that was killed left an extra replica, which uses resources for no reason.",
	"drain-unfinished":    "The nodes are cordoned and still run pods. New pods cannot use them.",
	"tolerates-forever":   "The pods tolerate unreachable nodes without a time limit. If a node fails, they are not replaced on another node.",
	"unmanaged":           "No controller owns the pods. After a drain, an eviction or a node failure they are gone.",
	"one-node":            "If this node fails or is drained, all replicas stop at the same time.",
	"system-pool":         "Applications compete with CoreDNS and other system pods for resources. An application that uses too much affects the whole cluster.",
	"hook-too-long":       "The preStop hook uses the whole grace period. The container is killed before it can shut down cleanly.",
	"pod-density":         "Kubernetes is tested with up to 110 pods on a node. With more, the kubelet and the runtime may become too slow, and the node NotReady.",
	"plugin-untested":     "The release of the network plugin is not tested with this kubelet version. It may fail after an upgrade of the nodes.",
	"upgrade-gates":       "The cloud waits after each upgraded node until every monitor with an UpgradeGatePolicy reports it healthy. It stops the upgrade if a monitor reports a node unhealthy, or does not answer in time.",
	"single-replica":      "The workload is down while its only pod moves to another node: in each drain, upgrade and node failure.",
	"moves-early":         "The pods are evicted as soon as a node is unreachable for a short time, for example during a reboot. Many pods then restart for no reason.",
	"local-volume":        "The data of the volume exists on one node only. The pod stays Pending while the node is down, and the data is lost if the node is deleted.",
	"upgrade-stuck":       "The upgrade cannot evict these pods. It waits for the drain timeout, and then fails or leaves the nodes cordoned.",
	"surge-headroom":      "While nodes are replaced, some pods stay Pending, because the surge adds less capacity than the drained nodes had.",
	"upgrade-unmanaged":   "No controller owns the pods. The upgrade deletes them, and they do not come back.",
	"cloud-state":         "The cloud rejects an upgrade while the cluster or a pool is in a failed state.",
	"cloud-locks":         "The lock prevents the cloud from deleting VMs and addresses. The upgrade fails halfway.",
	"cloud-quota":         "The surge nodes of the upgrade exceed the quota. The upgrade fails.",
	"cloud-subnet":        "The subnet does not have enough free addresses for the surge nodes. The upgrade fails.",
	"cloud-outbound":      "A new node cannot download its packages and images, so its bootstrap fails. Upgrades and scale-ups fail.",
	"cloud-sizes":         "The VM size is not available in this region or zone. New nodes cannot be created.",
	"cloud-versions":      "The service does not support a pool that is newer than the control plane or too many minor versions older.",
	"cloud-policies":      "A policy of the cloud denies the change of a resource of the cluster. Upgrades and scaling may fail.",
	"cloud-images":        "Old node images do not have current security fixes, and images older than 90 days are not supported.",
	"cloud-window":        "Automatic upgrades can start at any time, also during business hours.",
	"cloud-channel":       "No channel updates the node images. The nodes do not receive security fixes.",
}
