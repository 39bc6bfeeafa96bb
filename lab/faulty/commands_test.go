//go:build unix

package faulty_test

import (
	"maps"
	"slices"
)

// command is a command that reads the cluster.
type command struct {
	name string
	args []string
	// well lists its answers for the complete cluster. No answer may contain one of these if a list that it depends on
	// is incomplete.
	well []string
	// spared are the resources that the answer does not depend on, with the reason. All other resources that the
	// command reads count.
	spared map[string]string
}

const (
	node   = "w1"
	pod    = "web-7d9c8b6f5-x0000"
	before = "before.tar.gz" // a bundle of the complete cluster
	after  = "after.tar.gz"  // the bundle that collect writes
)

// because gives several resources the same reason.
func because(reason string, resources ...string) map[string]string {
	out := map[string]string{}
	for _, r := range resources {
		out[r] = reason
	}
	return out
}

func spare(parts ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, p := range parts {
		maps.Copy(out, p)
	}
	return out
}

var (
	admissionKinds = []string{"validatingwebhookconfigurations", "mutatingwebhookconfigurations", "validatingadmissionpolicies",
		"validatingadmissionpolicybindings", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings", "endpointslices"}
	ownerKinds   = []string{"deployments", "replicasets", "statefulsets", "daemonsets", "jobs", "replicationcontrollers"}
	storageKinds = []string{"persistentvolumeclaims", "persistentvolumes", "volumeattachments", "csinodes", "csidrivers", "csistoragecapacities", "storageclasses"}
	clusterKinds = []string{"namespaces", "certificatesigningrequests", "priorityclasses", "events", "nodes.metrics.k8s.io", "leases in kube-system"}

	// named nodes are compared with other nodes of their pool
	peers   = because("other nodes of the pool are read to compare with: the node is judged without them too", "nodes where pool="+pool)
	metrics = because("use is a column: a cluster without a metrics API is judged all the same", "nodes.metrics.k8s.io")
	// for commands that search for capacity: all pods run and all claims are bound, and this was read
	places = because("only a pod without a node or a claim without a volume asks for it, and there is none", "csistoragecapacities", "storageclasses", "priorityclasses")
	past   = because("the command judges what is there; events are about what happened", "events")
	grants = because("whether a kubelet gets its next certificate holds up no pod that is moved", "certificatesigningrequests")
	locks  = because("who leads the controllers decides nothing about where pods go", "leases in kube-system")
	// for commands that search for faults
	attached = because("every attachment was read, and is there: only a volume that does not attach makes its driver matter", "csinodes", "csidrivers")
	refusals = because("a policy is no fault: what it refuses shows in events and in replicas that are missing, which were read",
		"validatingadmissionpolicies", "validatingadmissionpolicybindings", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings")
	calls = because("no webhook of the cluster is asked about pods or nodes, which was read, so nobody waits for one that is down", "endpointslices")
)

// wellSpared applies to answers that report no fault.
var wellSpared = spare(metrics, places, attached, refusals, calls,
	because("a namespace has no health; what ends with one are its pods, which were read", "namespaces"))

// everythingBut spares all other resources, for a command that shows one kind.
func everythingBut(reason string, rests ...string) map[string]string {
	out := map[string]string{}
	for _, r := range slices.Concat(admissionKinds, ownerKinds, storageKinds, clusterKinds, []string{"nodes", "leases", "pods", "poddisruptionbudgets"}) {
		if !slices.Contains(rests, r) {
			out[r] = reason
		}
	}
	return out
}

var commands = []command{
	{"diagnose", []string{"diagnose"}, []string{"HEALTHY", "No problem found"}, wellSpared},
	{"diagnose-node", []string{"diagnose", node}, []string{"HEALTHY", "No problem found"}, spare(wellSpared, peers)},
	{"diff", []string{"diff", before}, []string{"HEALTHY  0 causes came", "after: cluster lab, HEALTHY"}, wellSpared},
	{"collect", []string{"collect", "-o", after, "--force"}, []string{"HEALTHY", "No problem found"}, wellSpared}, // with diagnose of its output
	{"check", []string{"check"}, []string{"CLEAR", "No risk found"}, spare(metrics, places, past, grants, locks, calls)},
	{"check-pool", []string{"check", "--pool", pool}, []string{"CLEAR", "No risk found"}, spare(metrics, places, past, grants, locks, calls)},
	{"drain", []string{"drain", node, "--plan"}, []string{"CLEAR"}, spare(metrics, places, past, grants, locks, calls)},
	{"upgrade", []string{"upgrade", pool, "--plan"}, []string{"CLEAR"}, spare(metrics, places, past, grants, locks, calls)},
	{"predict", []string{"predict", node, "--event", "reboot", "--back-after", "60s"}, nil, spare(metrics, places, past, grants, locks,
		because("nothing is created, changed or evicted while the node reboots", append(slices.Clone(admissionKinds), "poddisruptionbudgets", "namespaces")...),
		because("every pod stays on its node, and its volumes with it", storageKinds...))},
	{"why", []string{"why", pod, "-n", "shop"}, []string{"FINE", "all containers ready"},
		everythingBut("the pod runs and is ready, and its node is: nothing else can make that untrue", "pods", "nodes", "leases")},
	{"why-deployment", []string{"why", "deploy/web", "-n", "shop"}, []string{"FINE", "3/3 pods healthy"},
		everythingBut("the pods that should be there are, and run: nothing else can make that untrue", "pods", "nodes", "leases", "deployments", "replicasets")},
	{"nodes", []string{"nodes"}, []string{"HEALTHY"}, wellSpared},
	{"nodes-node", []string{"nodes", node}, []string{"Nothing was found on it"}, spare(wellSpared, peers)},
	{"pools", []string{"pools"}, []string{"HEALTHY", "none with problems"},
		everythingBut("a pool is odd by its nodes and what runs on them", "nodes", "leases", "pods")},
	{"pods", []string{"pods"}, []string{"HEALTHY", "all running and ready"},
		everythingBut("every pod runs and is ready, and its node is: nothing else can make that untrue", "pods", "nodes", "leases")},
	{"budgets", []string{"budgets"}, []string{"HEALTHY  cluster", "none with problems"}, // a column has the same name
		everythingBut("a budget is odd by itself and by the pods that it selects", "poddisruptionbudgets", "pods")},
	{"daemonsets", []string{"daemonsets"}, []string{"HEALTHY", "none with problems"},
		everythingBut("a DaemonSet is odd by the nodes that it wants and the pods that are there", "daemonsets", "nodes", "pods")},
	{"verify", []string{"verify", node}, []string{"PASSED"}, spare(wellSpared, peers)},
}

// passed lists the checks of nodetriage check with the resources that each depends on. A check that is not in the list
// depends on everything.
var passed = map[string][]string{
	"budget-never":        {"poddisruptionbudgets"},
	"budget-not-computed": {"poddisruptionbudgets"},
	"several-budgets":     {"poddisruptionbudgets", "pods"},
	"policy-refuses":      {"validatingadmissionpolicies", "validatingadmissionpolicybindings", "pods"},
	"nodes-down":          {"nodes", "leases"},
	"only-node":           {"nodes"},
	"node-headroom":       {"nodes", "pods"},
	"zone-headroom":       {"nodes", "pods"},
	"bound":               {"nodes", "pods", "persistentvolumeclaims", "persistentvolumes"},
	"certificate-expires": {"nodes"},
	"version-skew":        {"nodes"},
	"plugin-needs":        {"nodes", "pods"},
	"plugin-untested":     {"nodes", "pods"},
	"budget-exhausted":    {"poddisruptionbudgets"},
	"budget-suspended":    {"poddisruptionbudgets"},
	"surge-left":          ownerKinds,
	"drain-unfinished":    {"nodes"},
	"tolerates-forever":   {"pods"},
	"unmanaged":           {"pods"},
	"one-node":            {"nodes", "pods"},
	"hook-too-long":       {"pods"},
	"pod-density":         {"nodes", "pods"},
	"single-replica":      ownerKinds,
	"moves-early":         {"pods"},
	"local-volume":        {"pods", "persistentvolumeclaims", "persistentvolumes"},
	"upgrade-stuck":       {"nodes", "pods", "poddisruptionbudgets", "persistentvolumeclaims", "persistentvolumes"},
	"surge-headroom":      {"nodes", "pods"},
	"upgrade-unmanaged":   {"nodes", "pods"},
}

// words lists the names of a missing resource in an answer.
var words = map[string]string{
	"poddisruptionbudgets":              `poddisruptionbudgets|PodDisruptionBudgets|budgets`,
	"persistentvolumeclaims":            `persistentvolumeclaims|volume claims`,
	"persistentvolumes":                 `persistentvolumes|volumes`,
	"volumeattachments":                 `volumeattachments|volume attachments`,
	"csinodes":                          `csinodes|CSI nodes`,
	"csidrivers":                        `csidrivers|CSI drivers`,
	"storageclasses":                    `storageclasses|storage classes`,
	"csistoragecapacities":              `csistoragecapacities|storage capacities`,
	"priorityclasses":                   `priorityclasses|priority classes`,
	"certificatesigningrequests":        `certificatesigningrequests|certificate requests`,
	"validatingwebhookconfigurations":   `validatingwebhookconfigurations|webhookconfigurations|webhooks`,
	"mutatingwebhookconfigurations":     `mutatingwebhookconfigurations|webhookconfigurations|webhooks`,
	"validatingadmissionpolicies":       `validatingadmissionpolicies|admission policies`,
	"validatingadmissionpolicybindings": `validatingadmissionpolicybindings|validatingadmissionpolicies|admission policies`,
	"mutatingadmissionpolicies":         `mutatingadmissionpolicies|mutating admission policies`,
	"mutatingadmissionpolicybindings":   `mutatingadmissionpolicybindings|mutatingadmissionpolicies|mutating admission policies`,
	"endpointslices":                    `endpointslices|endpoints`,
	"nodes.metrics.k8s.io":              `node ?metrics|metrics API`,
	"leases in kube-system":             `leases`,
}

func init() {
	for _, kind := range ownerKinds {
		words[kind] = kind + "|workloads"
	}
}
