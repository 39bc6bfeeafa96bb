package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/admission"
	"github.com/nodetriage/nodetriage/wording"
)

// checks are the checks of a review, in the order of a drain: what is rejected, what is lost, what has no capacity.
var checks = []check{
	{"budget-never", "PodDisruptionBudgets that never allow an eviction", "run one more replica, or allow at least one disruption", High,
		[]evidence.Kind{evidence.PDBs}, (*reviewer).budgetNever},
	{"budget-not-computed", "PodDisruptionBudgets that cannot be computed and allow no eviction", "use an integer minAvailable, or select pods of a controller with a scale subresource", High,
		[]evidence.Kind{evidence.PDBs}, (*reviewer).budgetNotComputed},
	{"several-budgets", "Pods that match several PodDisruptionBudgets: the eviction API rejects them", "narrow the selectors so that each pod matches only one", High,
		[]evidence.Kind{evidence.PDBs, evidence.Pods}, (*reviewer).severalBudgets},
	{"policy-refuses", "Evictions denied by an admission policy", "add an exemption to the policy, or meet its conditions before the next upgrade", High,
		[]evidence.Kind{evidence.Policies, evidence.Pods}, (*reviewer).policyRefuses},
	{"nodes-down", "Nodes that are NotReady: the others must run their pods too", "find the reason first, and do not remove more nodes before that", High,
		[]evidence.Kind{evidence.Nodes}, (*reviewer).nodesDown},
	{"only-node", "The cluster has only one node: its pods cannot move", "add a node if the cluster must stay up while a node is replaced", Low,
		[]evidence.Kind{evidence.Nodes}, (*reviewer).onlyNode},
	{"node-headroom", "Nodes with pods that fit on no other node", "add a node, lower requests of insufficient resources, or uncordon or untaint nodes", High,
		[]evidence.Kind{evidence.Nodes, evidence.Pods}, (*reviewer).nodeHeadroom},
	{"zone-headroom", "Zones with pods that fit in no other zone", "add nodes in the other zones", Medium,
		[]evidence.Kind{evidence.Nodes, evidence.Pods}, (*reviewer).zoneHeadroom},
	{"bound", "Pods that can run on no other node", "use a wider selector, or a volume that is available in several zones", Low,
		[]evidence.Kind{evidence.Nodes, evidence.Pods}, (*reviewer).boundPods},
	{"certificate-expires", "Certificates that expired or expire soon", "find out why they are not renewed, and renew them", High,
		[]evidence.Kind{evidence.Nodes}, (*reviewer).certificates},
	{"version-skew", "Kubelets with an unsupported version skew to the API server", "upgrade the nodes, the API server first", High,
		[]evidence.Kind{evidence.Nodes}, (*reviewer).versionSkew},
	{"plugin-needs", "Nodes that their network agent does not support", "upgrade the node image, or use a release of the plugin that supports it", High,
		[]evidence.Kind{evidence.Nodes, evidence.Pods}, (*reviewer).pluginNeeds},
	{"budget-exhausted", "PodDisruptionBudgets that currently allow no eviction", "make the unhealthy pods healthy", Medium,
		[]evidence.Kind{evidence.PDBs}, (*reviewer).budgetExhausted},
	{"budget-suspended", "PodDisruptionBudgets that an interrupted drain left suspended: they protect no pod", "restore them; later changes by their owners are kept", Medium,
		[]evidence.Kind{evidence.PDBs}, (*reviewer).budgetSuspended},
	{"surge-left", "Deployments that an interrupted drain left with an extra replica", "restore the number of replicas", Medium,
		[]evidence.Kind{evidence.Workloads}, (*reviewer).surgeLeft},
	{"drain-unfinished", "Nodes that an interrupted drain left cordoned", "finish the drain, or uncordon the nodes", Medium,
		[]evidence.Kind{evidence.Nodes}, (*reviewer).drainUnfinished},
	{"tolerates-forever", "Pods that stay on a dead node forever: they tolerate it without a time limit", "set tolerationSeconds, or remove the toleration", Medium,
		[]evidence.Kind{evidence.Pods}, (*reviewer).neverMoves},
	{"unmanaged", "Pods without a controller that recreates them", "run them with a Deployment, a StatefulSet or a Job", Medium,
		[]evidence.Kind{evidence.Pods}, (*reviewer).unmanagedPods},
	{"one-node", "Workloads with all replicas on one node", "spread them: topologySpreadConstraints or podAntiAffinity over kubernetes.io/hostname", Medium,
		[]evidence.Kind{evidence.Nodes, evidence.Pods}, (*reviewer).oneNode},
	{"system-pool", "Applications on nodes of the system pool", "add the taint CriticalAddonsOnly=true:NoSchedule to that pool, and run the applications in another pool", Low,
		[]evidence.Kind{evidence.Nodes, evidence.Pods}, (*reviewer).systemPool},
	{"hook-too-long", "preStop hooks as long as the grace period: the container is killed before it can stop gracefully", "raise terminationGracePeriodSeconds above the hook's time", Medium,
		[]evidence.Kind{evidence.Pods}, (*reviewer).hooks},
	{"pod-density", "Nodes with more pods than Kubernetes is tested with", "run fewer pods per node: lower maxPods or add nodes; otherwise reserve more for kubelet and runtime", Low,
		[]evidence.Kind{evidence.Nodes, evidence.Pods}, (*reviewer).podDensity},
	{"plugin-untested", "Network agents with a release that is not tested with the kubelet version", "upgrade the network plugin before the nodes, to a release that is tested with their version", Low,
		[]evidence.Kind{evidence.Nodes, evidence.Pods}, (*reviewer).pluginUntested},
	{"upgrade-gates", "Health monitors that can stop an upgrade (UpgradeGatePolicy)", "check that each monitor is running before the upgrade: without its answer, the upgrade stops", Low,
		nil, (*reviewer).upgradeGates},
	{"single-replica", "Workloads with a single replica", "run two replicas if the application supports it", Low,
		[]evidence.Kind{evidence.Workloads}, (*reviewer).singleReplica},
	{"moves-early", "Pods that are evicted when their node is NotReady for a short time", "raise tolerationSeconds: a rebooted node is back within minutes", Low,
		[]evidence.Kind{evidence.Pods}, (*reviewer).movesEarly},
	{"local-volume", "Pods with a volume on the disk of one node", "accept that they wait for their node, or use a network volume", Low,
		[]evidence.Kind{evidence.Pods, evidence.Claims, evidence.Volumes}, (*reviewer).localVolumes},
}

func subjectOf(b *evidence.PDB) evidence.Subject {
	return evidence.Subject{Kind: "PodDisruptionBudget", Namespace: b.Namespace, Name: b.Name}
}

func (r *reviewer) budgetNotComputed() {
	for _, b := range r.s.Data().PDBs {
		if text := mechanics.SyncFailed(b); text != "" {
			r.add(subjectOf(b), plan.Join(text, clusterview.OwnedBy(b)), shell.Format("kubectl describe pdb -n {namespace} {pdb}", b.Namespace, b.Name))
		}
	}
}

func (r *reviewer) budgetExhausted() {
	for _, b := range r.s.Data().PDBs {
		reported := mechanics.SyncFailed(b) != "" || mechanics.NeverAllows(b) // by another check
		empty := b.Counted() && b.Status.ExpectedPods == 0
		if reported || empty || b.Status.DisruptionsAllowed > 0 {
			continue
		}
		now := "no disruption allowed (" + mechanics.Bound(b) + ")"
		if b.Counted() {
			now = plan.Join(fmt.Sprintf("%d healthy, %d required", b.Status.CurrentHealthy, b.Status.DesiredHealthy), clusterview.Lacking(r.s, b))
		}
		r.add(subjectOf(b), now,
			shell.Format("kubectl describe pdb -n {namespace} {pdb}", b.Namespace, b.Name))
	}
}

func (r *reviewer) severalBudgets() {
	r.running(func(p *evidence.Pod, owner evidence.Subject) {
		held := r.Budgets.Of(p)
		if len(held) < 2 {
			return
		}
		var names []string
		for _, b := range held {
			names = append(names, b.Name)
		}
		r.add(owner, "selected by "+wording.Some(names), shell.Format("kubectl get pdb -n {namespace} -o wide", p.Namespace))
	})
}

// policyRefuses finds pods that a ValidatingAdmissionPolicy protects from every drain and upgrade.
func (r *reviewer) policyRefuses() {
	r.running(func(p *evidence.Pod, owner evidence.Subject) {
		for _, refusal := range r.Policies.Refusals(admission.Eviction(p)) {
			if refusal.Certain {
				r.add(owner, refusal.String(), shell.Format("kubectl get validatingadmissionpolicy {policy} -o yaml", refusal.Policy))
				return
			}
		}
	})
}

func (r *reviewer) unmanagedPods() {
	r.running(func(p *evidence.Pod, owner evidence.Subject) {
		if slices.Contains(mechanics.Loses(p), mechanics.ThePod) {
			r.add(owner, "on node "+p.Node)
		}
	})
}

// oneNode finds workloads that run on one node only.
func (r *reviewer) oneNode() {
	nodes, pods := map[evidence.Subject]map[string]bool{}, map[evidence.Subject]int{}
	r.running(func(p *evidence.Pod, owner evidence.Subject) {
		if r := mechanics.OfKind(owner.Kind); owner.Kind == "Pod" || r == mechanics.WhenFailed {
			return
		}
		if nodes[owner] == nil {
			nodes[owner] = map[string]bool{}
		}
		nodes[owner][p.Node] = true
		pods[owner]++
	})
	if len(r.s.Data().Nodes) < 2 {
		r.moot = true
		return
	}
	for _, owner := range slices.SortedFunc(maps.Keys(nodes), func(a, b evidence.Subject) int { return strings.Compare(a.String(), b.String()) }) {
		if len(nodes[owner]) == 1 && pods[owner] > 1 {
			r.add(owner, fmt.Sprintf("%d pods, all on %s", pods[owner], slices.Collect(maps.Keys(nodes[owner]))[0]))
		}
	}
}

// podDensity finds nodes with more pods than Kubernetes is tested with, on which relists, probes and restarts take longer.
func (r *reviewer) podDensity() {
	on := map[string]int{}
	for _, p := range r.s.Data().Pods {
		if p.Node != "" && !p.Finished() {
			on[p.Node]++
		}
	}
	for _, n := range r.s.Data().Nodes {
		if on[n.Name] > mechanics.TestedPods {
			r.add(evidence.NodeSubject(n.Name), fmt.Sprintf("%d pods; Kubernetes is tested with up to %d", on[n.Name], mechanics.TestedPods),
				shell.Format("kubectl get node {node} -o jsonpath='{.status.capacity.pods} {.status.allocatable}'", n.Name))
		}
	}
}

// nodesDown finds nodes that are not Ready now.
func (r *reviewer) nodesDown() {
	for _, n := range r.s.Data().Nodes {
		switch c := n.Condition(corev1.NodeReady); {
		case c == nil:
			r.unknown("whether node "+n.Name+" is healthy", "its conditions are not in the evidence", shell.Format("kubectl get node {node} -o json", n.Name))
		case c.Status != corev1.ConditionTrue:
			r.add(n.Subject(), strings.TrimSpace("Ready is "+string(c.Status)+" "+c.Reason), shell.Format("nodetriage diagnose {node}", n.Name))
		}
	}
}

// onlyNode finds a cluster of one node. That its pods fit nowhere else is not a lack of capacity.
func (r *reviewer) onlyNode() {
	switch nodes := r.s.Data().Nodes; {
	case len(nodes) != 1:
		r.moot = true
	case r.s.Covers(evidence.Nodes) == evidence.Complete:
		r.add(nodes[0].Subject(), "there is no other node")
	default:
		r.unknown("whether the pods of node "+nodes[0].Name+" fit elsewhere", "the evidence contains no other node, and may be incomplete", "kubectl get nodes,pods -A -o json")
	}
}

// deadNode are the taints of a node that the control plane considers dead.
var deadNode = []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable}

// stayOnDead returns how long the pod tolerates a dead node.
func stayOnDead(p *evidence.Pod, key string) mechanics.Stay {
	return mechanics.StayUnder(p.Spec.Tolerations, []corev1.Taint{{Key: key, Effect: corev1.TaintEffectNoExecute}})
}

func (r *reviewer) neverMoves() {
	r.running(func(p *evidence.Pod, owner evidence.Subject) {
		for _, key := range deadNode {
			if p.Spec == nil || r.found != nil && slices.Contains(r.found.Subjects, owner) {
				return
			}
			if stayOnDead(p, key).Forever {
				r.add(owner, "tolerates "+key+" forever")
			}
		}
	})
}

const early = 30 * time.Second // a restarting kubelet is unreachable for about that long

func (r *reviewer) movesEarly() {
	r.running(func(p *evidence.Pod, owner evidence.Subject) {
		if p.Spec == nil {
			return
		}
		for _, key := range deadNode {
			if stay := stayOnDead(p, key); !stay.Forever && stay.For < early {
				r.add(owner, fmt.Sprintf("tolerates %s for %s", key, wording.Duration(stay.For)))
			}
		}
	})
}

func (r *reviewer) hooks() {
	r.running(func(p *evidence.Pod, owner evidence.Subject) {
		if grace, hook := mechanics.GracePeriod(p), mechanics.HookSleep(p); hook > 0 && hook >= grace {
			r.add(owner, fmt.Sprintf("the hook sleeps %s, the grace period is %s", wording.Duration(hook), wording.Duration(grace)))
		}
	})
}

func (r *reviewer) localVolumes() {
	r.running(func(p *evidence.Pod, owner evidence.Subject) {
		node := r.s.Node(p.Node)
		if p.Spec == nil || node == nil {
			return
		}
		for _, v := range p.Spec.Volumes {
			if v.PersistentVolumeClaim == nil {
				continue
			}
			if pv := r.VolumeOf(p.Namespace, v.PersistentVolumeClaim.ClaimName); pv != nil && mechanics.VolumeBoundTo(pv, node) {
				r.add(owner, fmt.Sprintf("volume %s is on %s", pv.Name, p.Node))
			}
		}
	})
}

// certificates reads the certificates that nodes and kubelets report.
func (r *reviewer) certificates() {
	for _, n := range r.s.Data().Nodes {
		for _, c := range mechanics.Certificates(r.s, n.Name) {
			if r.out.FirstToExpire == nil || c.Until.Before(r.out.FirstToExpire.Until) {
				r.out.FirstToExpire = &Expiry{n.Name, c.Name, c.Until}
			}
			if c.Until.Sub(r.Now) < c.Soon() {
				r.add(n.Subject(), fmt.Sprintf("%s: until %s (limit: %s before)", c.Name, wording.Instant(c.Until), wording.Duration(c.Soon())))
			}
		}
	}
	if r.out.FirstToExpire == nil {
		r.unknown("when certificates of nodes expire", "not reported by any node", "run nodetriage node-check on the nodes, or grant nodes/proxy and run nodetriage check")
	}
}

// skew is how many minor versions a kubelet may be older than its API server (kubernetes.io/releases/version-skew-policy, since
// 1.28).
const skew = 3

func (r *reviewer) versionSkew() {
	server, ok := minor(r.s.Data().Server.Version)
	if !ok {
		r.unknown("the version skew of the kubelets", "unknown API server version", "kubectl version")
		return
	}
	for _, n := range r.s.Data().Nodes {
		v := n.Node.Status.NodeInfo.KubeletVersion
		switch kubelet, ok := minor(v); {
		case !ok:
		case kubelet > server:
			r.add(n.Subject(), fmt.Sprintf("kubelet %s is newer than the API server's %s", v, r.s.Data().Server.Version))
		case server-kubelet > skew:
			r.add(n.Subject(), fmt.Sprintf("kubelet %s is %d minor versions behind the API server's %s", v, server-kubelet, r.s.Data().Server.Version))
		}
	}
}

func minor(version string) (int, bool) {
	parts := strings.Split(strings.TrimPrefix(version, "v"), ".")
	if len(parts) < 2 {
		return 0, false
	}
	n, err := strconv.Atoi(parts[1])
	return n, err == nil
}
