package accuracy

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// What programs log after the problem of a log has ended, according to their sources. success lists what each logs about the
// objects in the log, ordinary what it logs every few minutes when idle.
//
// Sources: kubernetes v1.34 pkg/kubelet, pkg/scheduler, pkg/controller, pkg/proxy, cloud-provider; containerd v2.0
// internal/cri; cri-o v1.33 server; moby v27; autoscaler v1.33; etcd v3.6; calico v3.29 felix; flannel v0.26; cilium v1.16.

func (n names) success(s speaker, restart bool) []words {
	var out []words
	info := func(caller, format string, args ...any) {
		out = append(out, words{caller, "info", fmt.Sprintf(format, args...)})
	}
	node := n.node()
	switch s {
	case kubelet:
		if restart {
			info("server.go:530", `"Kubelet version" kubeletVersion="v1.34.2"`)
			info("kubelet.go:446", `"Attempting to sync node with API server"`)
			info("kubelet_node_status.go:75", `"Attempting to register node" node="%s"`, node)
			info("server.go:1274", `"Started kubelet"`)
			info("kubelet.go:2488", `"Starting kubelet main sync loop"`)
			info("kubelet_node_status.go:78", `"Successfully registered node" node="%s"`, node)
		}
		for _, event := range []string{"NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID", "NodeReady"} {
			info("kubelet_node_status.go:736", `"Recording event message for node" node="%s" event="%s"`, node, event)
		}
		for _, v := range n.volumes {
			info("operation_generator.go:615", `"MountVolume.SetUp succeeded for volume \"%s\" (UniqueName: \"kubernetes.io/csi/%s\") pod \"app-0\" (UID: \"7c1d8a52-0c5e-4f4e-9d6f-0d4f2b8a6f10\") " pod="default/app-0"`, v, v)
		}
		for _, image := range n.images {
			info("event.go:389", `"Event occurred" object="default/app-0" fieldPath="spec.containers{app}" kind="Pod" apiVersion="v1" type="Normal" reason="Pulled" message="Successfully pulled image \"%s\" in 1.204s (1.204s including waiting)"`, image)
		}
		for _, pod := range n.pods {
			info("kubelet.go:2545", `"SyncLoop (PLEG): event for pod" pod="%s" event={"ID":"0f5cbb6e-55f0-4d2f-9d2b-6a1d5c1e7e5a","Type":"ContainerStarted","Data":"4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b"}`, pod)
			info("kubelet.go:2626", `"SyncLoop (probe)" probe="readiness" status="ready" pod="%s"`, pod)
			info("pod_startup_latency_tracker.go:104", `"Observed pod startup duration" pod="%s" podStartSLOduration=2.31 podStartE2EDuration="2.31s"`, pod)
		}
	case containerd:
		if restart {
			info("", "containerd successfully booted in 0.052712s")
			info("", "Start cri plugin")
		}
		for _, image := range n.images {
			info("", `PullImage "%s" returns image reference "sha256:6270bb605e12e581514ada5fd5b3216f727db55dc87d5889c790e4c760683fee"`, image)
		}
		for _, pod := range append(n.pods, "default/app-0") {
			ns, name, _ := strings.Cut(pod, "/")
			info("", `RunPodSandbox for &PodSandboxMetadata{Name:%s,Uid:0f5cbb6e-55f0-4d2f-9d2b-6a1d5c1e7e5a,Namespace:%s,Attempt:0,} returns sandbox id "9f1a0b9c8d7e6f5a4b4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e"`, name, ns)
			info("", `StartContainer for "4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b" returns successfully`)
		}
	case crio:
		for _, pod := range append(n.pods, "default/app-0") {
			info("", `Ran pod sandbox 9f1a0b9c8d7e6f5a4b4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e with infra container: %s/POD`, pod)
			info("", `Started container                               PID=48213 containerID=4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b description=%s/app sandboxID=9f1a0b9c8d7e6f5a4b4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e`, pod)
		}
	case docker:
		info("", "Daemon has completed initialization")
		info("", "API listen on /run/docker.sock")
	case systemd:
		for _, unit := range append(n.units, "kubelet.service", "containerd.service") {
			info("", "Started %s.", unit)
		}
	case scheduler:
		for _, pod := range append(n.pods, "default/app-0") {
			info("schedule_one.go:314", `"Successfully bound pod to node" pod="%s" node="%s" evaluatedNodes=3 feasibleNodes=2`, pod, node)
		}
	case manager:
		info("node_lifecycle_controller.go:1044", `"Controller detected that some Nodes are Ready. Exiting master disruption mode" logger="node-lifecycle-controller"`)
		info("event.go:389", `"Event occurred" object="%s" fieldPath="" kind="Node" apiVersion="v1" type="Normal" reason="NodeReady" message="Node %s status is now: NodeReady"`, node, node)
		for _, v := range n.volumes {
			info("operation_generator.go:403", `AttachVolume.Attach succeeded for volume "%s" (UniqueName: "kubernetes.io/csi/%s") from node "%s"`, v, v, node)
		}
		for _, pod := range n.pods {
			info("event.go:389", `"Event occurred" object="%s" fieldPath="" kind="Pod" apiVersion="v1" type="Normal" reason="SuccessfulCreate" message="Created pod"`, pod)
		}
	case cloudCtl:
		for _, name := range append(n.nodes, node) {
			info("node_controller.go:472", `Successfully initialized node %s with cloud provider`, name)
		}
	case autoscaler:
		for _, pod := range n.pods {
			info("klogx.go:87", `Pod %s is schedulable on %s`, pod, node)
		}
		info("static_autoscaler.go:554", "No unschedulable pods")
		info("clusterstate.go:267", "Scale up in group pool-1 finished successfully in 1m32s")
	case proxy:
		info("proxier.go:1547", `"Reloading service iptables data" ipFamily="IPv4" numServices=12 numEndpoints=31 numFilterChains=6`)
		info("proxier.go:822", `"SyncProxyRules complete" ipFamily="IPv4" elapsed="41.2ms"`)
	case apiserver:
		info("alloc.go:330", `"allocated clusterIPs" service="default/app" clusterIPs={"IPv4":"10.96.14.3"}`)
		info("controller.go:667", "quota admission added evaluator for: endpointslices.discovery.k8s.io")
	case etcd:
		info("", "ready to serve client requests")
		info("", "established peer connection")
	case calico:
		info("", "Felix starting up")
		info("", "Reported health: live=true ready=true")
		info("", "Datastore connection verified, node marked ready")
	case flannel:
		info("main.go:448", "Found network config - Backend type: vxlan")
		info("main.go:517", "Running backend.")
		info("vxlan_network.go:68", "watching for new subnet leases")
	case cilium:
		info("", "Successfully created endpoint")
		info("", "Daemon initialization completed")
	}
	return out
}

// ordinary returns one message of an idle program; false if it logs nothing then.
func (n names) ordinary(s speaker, rnd *rand.Rand) (words, bool) {
	node := n.node()
	id := rnd.IntN(90000) + 10000
	lines := map[speaker][]words{
		kubelet: {
			{"kubelet.go:2529", "info", fmt.Sprintf(`"SyncLoop ADD" source="api" pods=["batch/report-%d"]`, id)},
			{"kubelet.go:2545", "info", fmt.Sprintf(`"SyncLoop (PLEG): event for pod" pod="batch/report-%d" event={"ID":"0f5cbb6e-55f0-4d2f-9d2b-6a1d5c1%d","Type":"ContainerStarted","Data":"4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e2f1a0b9c8d7e6%d"}`, id, id, id)},
			{"pod_startup_latency_tracker.go:104", "info", fmt.Sprintf(`"Observed pod startup duration" pod="batch/report-%d" podStartSLOduration=1.9 podStartE2EDuration="1.9s"`, id)},
			{"kubelet.go:2626", "info", fmt.Sprintf(`"SyncLoop (probe)" probe="readiness" status="ready" pod="batch/report-%d"`, id)},
			{"kubelet_getters.go:187", "info", `"Pod status updated" pod="kube-system/kube-proxy-x2v8q" status="Running"`},
		},
		containerd: {
			{"", "info", fmt.Sprintf(`RunPodSandbox for &PodSandboxMetadata{Name:report-%d,Uid:0f5cbb6e-55f0-4d2f-9d2b-6a1d5c1e7e5a,Namespace:batch,Attempt:0,} returns sandbox id "9f1a0b9c8d7e6f5a4b4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5%d"`, id, id)},
			{"", "info", fmt.Sprintf(`CreateContainer within sandbox "9f1a0b9c8d7e6f5a4b4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5%d" for container &ContainerMetadata{Name:report,Attempt:0,}`, id)},
			{"", "info", fmt.Sprintf(`StartContainer for "4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e2f1a0b9c8d7e6%d" returns successfully`, id)},
		},
		crio: {
			{"", "info", `Checking image status: registry.k8s.io/pause:3.10`},
			{"", "info", fmt.Sprintf(`Ran pod sandbox 9f1a0b9c8d7e6f5a4b4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5%d with infra container: batch/report-%d/POD`, id, id)},
		},
		docker: {
			{"", "info", fmt.Sprintf(`ignoring event container=4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e2f1a0b9c8d7e6%d module=libcontainerd topic=/tasks/delete`, id)},
		},
		kernel: {
			{"", "info", fmt.Sprintf(`cni0: port %d(veth%d) entered forwarding state`, id%7+1, id)},
			{"", "info", fmt.Sprintf(`IPv6: ADDRCONF(NETDEV_CHANGE): veth%d: link becomes ready`, id)},
		},
		systemd: {
			{"", "info", fmt.Sprintf(`run-containerd-runc-k8s.io-%d-runc.%d.mount: Deactivated successfully.`, id, id)},
			{"", "info", `Started Session 41 of User core.`},
		},
		scheduler: {
			{"schedule_one.go:314", "info", fmt.Sprintf(`"Successfully bound pod to node" pod="batch/report-%d" node="%s" evaluatedNodes=3 feasibleNodes=3`, id, node)},
		},
		manager: {
			{"event.go:389", "info", fmt.Sprintf(`"Event occurred" object="batch/report" fieldPath="" kind="Job" apiVersion="batch/v1" type="Normal" reason="SuccessfulCreate" message="Created pod: report-%d"`, id)},
			{"event.go:389", "info", `"Event occurred" object="batch/report" fieldPath="" kind="Job" apiVersion="batch/v1" type="Normal" reason="Completed" message="Job completed"`},
		},
		cloudCtl: {
			{"controller.go:733", "info", `Syncing backends for all LB services.`},
			{"controller.go:770", "info", `Successfully updated 2 out of 2 load balancers to direct traffic to the updated set of nodes`},
		},
		autoscaler: {
			{"static_autoscaler.go:289", "info", "Starting main loop"},
			{"static_autoscaler.go:554", "info", "No unschedulable pods"},
			{"static_autoscaler.go:577", "info", "Calculating unneeded nodes"},
		},
		proxy: {
			{"proxier.go:822", "info", `"SyncProxyRules complete" ipFamily="IPv4" elapsed="38.7ms"`},
		},
		apiserver: {
			{"alloc.go:330", "info", fmt.Sprintf(`"allocated clusterIPs" service="default/app-%d" clusterIPs={"IPv4":"10.96.14.%d"}`, id, id%250+1)},
		},
		etcd: {
			{"", "info", fmt.Sprintf("finished scheduled compaction at %d (took 41.2ms)", id)},
		},
		calico: {
			{"", "info", "Reported health: live=true ready=true"},
			{"", "info", fmt.Sprintf("Processing *proto.WorkloadEndpointUpdate for batch/report-%d", id)},
		},
		flannel: {
			{"main.go:509", "info", "Lease renewed, new expiration in 24h"},
		},
		cilium: {
			{"", "info", fmt.Sprintf("Successful endpoint creation endpointID=%d k8sPodName=batch/report-%d subsys=daemon", id%4000, id)},
		},
	}[s]
	if len(lines) == 0 {
		return words{}, false
	}
	return lines[rnd.IntN(len(lines))], true
}
