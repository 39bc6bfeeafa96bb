package system

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// defaultBridges are the pod ranges of the configurations that CRI-O and Podman install. Their addresses come from a local bridge,
// which no other node can reach. Sources: cri-o contrib/cni, containers/common.
var defaultBridges = map[string]netip.Prefix{
	"CRI-O":  netip.MustParsePrefix("10.85.0.0/16"),
	"Podman": netip.MustParsePrefix("10.88.0.0/16"),
}

// PodAddresses finds pods with an address of a runtime's default bridge in a cluster with a different pod range.
var PodAddresses = &triage.Rule{
	ID:    "pod-addresses",
	Doc:   "Compares pod addresses with the ranges of the cluster and of default bridge configurations.",
	Needs: []evidence.Kind{evidence.Pods},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		var ranges []netip.Prefix
		hosts := map[string]bool{}
		for _, n := range p.Snapshot.Nodes() {
			hosts[facts.InternalIP(n)] = true
			for _, c := range append(slices.Clone(n.Spec.PodCIDRs), n.Spec.PodCIDR, facts.InternalIP(n)+"/32") {
				if r, err := netip.ParsePrefix(c); err == nil {
					ranges = append(ranges, r)
				}
			}
		}
		shared := map[string]int{} // an address that several pods of a node share is the node's
		for _, pod := range p.Snapshot.Pods() {
			if !pod.Finished() {
				shared[pod.Node+" "+pod.IP]++
			}
		}
		odd := map[string]map[string]*evidence.Pod{} // runtime -> node -> pod
		var elsewhere []netip.Addr
		for _, pod := range p.Snapshot.Pods() {
			ip, err := netip.ParseAddr(pod.IP)
			ofHost := hosts[pod.IP] || shared[pod.Node+" "+pod.IP] > 1
			if err != nil || ofHost || !hasPluginAddress(pod) {
				continue
			}
			if name := bridgeOf(ip); name == "" {
				elsewhere = append(elsewhere, ip)
			} else if odd[name] == nil {
				odd[name] = map[string]*evidence.Pod{pod.Node: pod}
			} else if odd[name][pod.Node] == nil {
				odd[name][pod.Node] = pod
			}
		}
		for _, name := range []string{"CRI-O", "Podman"} {
			bridge := defaultBridges[name]
			for _, node := range slices.Sorted(maps.Keys(odd[name])) {
				pod := odd[name][node]
				switch {
				case slices.ContainsFunc(ranges, bridge.Overlaps):
					p.RuleOut("cni-leftover-config", evidence.NodeSubject(node), bridge.String()+" is a range of this cluster's nodes or pods")
				case len(elsewhere) == 0:
					p.Unknown("whether pods of "+node+" have addresses of the cluster's network", "all known addresses are in "+bridge.String(), "kubectl get nodes -o jsonpath='{.items[*].spec.podCIDR}'")
				case spansAround(elsewhere, bridge):
					p.Unknown("whether pods of "+node+" have addresses of the cluster's network", "pods have addresses inside and outside of "+bridge.String(), "kubectl get nodes -o jsonpath='{.items[*].spec.podCIDR}'")
				default:
					p.Found(triage.Claim{
						Says: "cni-leftover-config", Subject: evidence.NodeSubject(node), Certainty: triage.Likely, Key: "address",
						Evidence: []evidence.Ref{facts.PodRef(pod, ".status.podIP", "%s", pod.IP)},
						Summary: fmt.Sprintf("pod %s has address %s of %s's default bridge %s, not an address of the cluster's network plugin",
							pod.Key(), pod.IP, name, bridge),
					})
				}
			}
		}
	},
}

// spansAround reports whether there are addresses of the same private network (10.0.0.0/8) below and above the bridge. The
// cluster's range may then include the bridge.
func spansAround(addresses []netip.Addr, bridge netip.Prefix) bool {
	below, above := false, false
	for _, a := range addresses {
		if a.Is4() && a.As4()[0] == 10 {
			less := a.Less(bridge.Addr())
			below, above = below || less, above || !less
		}
	}
	return below && above
}

func bridgeOf(ip netip.Addr) string {
	for _, name := range []string{"CRI-O", "Podman"} {
		if defaultBridges[name].Contains(ip) {
			return name
		}
	}
	return ""
}

// hasPluginAddress reports whether a pod runs on a node and has its address from the network plugin. It excludes host network pods
// and agents of the plugin, whose address may be older.
func hasPluginAddress(pod *evidence.Pod) bool {
	onHost := pod.Spec != nil && pod.Spec.HostNetwork
	return pod.Node != "" && !pod.Finished() && !onHost && facts.NetworkAgent(pod.Name) == ""
}
