package accuracy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// What programs log after the problem of a log has ended, according to their sources. success lists what each logs about the
// objects in the log, ordinary what it logs every few minutes when idle.
//
// Sources: kubernetes v1.34 pkg/kubelet, pkg/scheduler, pkg/controller, pkg/proxy, cloud-provider; containerd v2.0
// internal/cri; cri-o v1.33 server; moby v27; autoscaler v1.33; etcd v3.6; calico v3.29 felix; flannel v0.26; cilium v1.16.

// success is what a program logs, once or about each of several objects. Texts contain {node}, and {name} of the object; {pod} and
// {namespace} are the parts of the name of a pod.
type success struct {
	about   func(n names) []string // nil: once
	restart bool                   // only after a restart of the program
	says    []words
}

// Objects that a program reports about. anyPod, anyUnit and anyNode have one even if the log names none.
var (
	eachPod    = func(n names) []string { return n.pods }
	eachImage  = func(n names) []string { return n.images }
	eachVolume = func(n names) []string { return n.volumes }
	anyPod     = func(n names) []string { return append(slices.Clone(n.pods), "default/app-0") }
	anyUnit    = func(n names) []string { return append(slices.Clone(n.units), "kubelet.service", "containerd.service") }
	anyNode    = func(n names) []string { return append(slices.Clone(n.nodes), n.node()) }
)

var successOf = map[speaker][]success{
	kubelet: {
		{restart: true, says: []words{
			{"server.go:530", "info", `"Kubelet version" kubeletVersion="v1.34.2"`},
			{"kubelet.go:446", "info", `"Attempting to sync node with API server"`},
			{"kubelet_node_status.go:75", "info", `"Attempting to register node" node="{node}"`},
			{"server.go:1274", "info", `"Started kubelet"`},
			{"kubelet.go:2488", "info", `"Starting kubelet main sync loop"`},
			{"kubelet_node_status.go:78", "info", `"Successfully registered node" node="{node}"`},
		}},
		{says: []words{
			{"kubelet_node_status.go:736", "info", `"Recording event message for node" node="{node}" event="NodeHasSufficientMemory"`},
			{"kubelet_node_status.go:736", "info", `"Recording event message for node" node="{node}" event="NodeHasNoDiskPressure"`},
			{"kubelet_node_status.go:736", "info", `"Recording event message for node" node="{node}" event="NodeHasSufficientPID"`},
			{"kubelet_node_status.go:736", "info", `"Recording event message for node" node="{node}" event="NodeReady"`},
		}},
		{about: eachVolume, says: []words{
			{"operation_generator.go:615", "info", `"MountVolume.SetUp succeeded for volume \"{name}\" (UniqueName: \"kubernetes.io/csi/{name}\") pod \"app-0\" (UID: \"7c1d8a52-0c5e-4f4e-9d6f-0d4f2b8a6f10\") " pod="default/app-0"`},
		}},
		{about: eachImage, says: []words{
			{"event.go:389", "info", `"Event occurred" object="default/app-0" fieldPath="spec.containers{app}" kind="Pod" apiVersion="v1" type="Normal" reason="Pulled" message="Successfully pulled image \"{name}\" in 1.204s (1.204s including waiting)"`},
		}},
		{about: eachPod, says: []words{
			{"kubelet.go:2545", "info", `"SyncLoop (PLEG): event for pod" pod="{name}" event={"ID":"0f5cbb6e-55f0-4d2f-9d2b-6a1d5c1e7e5a","Type":"ContainerStarted","Data":"4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b"}`},
			{"kubelet.go:2626", "info", `"SyncLoop (probe)" probe="readiness" status="ready" pod="{name}"`},
			{"pod_startup_latency_tracker.go:104", "info", `"Observed pod startup duration" pod="{name}" podStartSLOduration=2.31 podStartE2EDuration="2.31s"`},
		}},
	},
	containerd: {
		{restart: true, says: []words{
			{"", "info", "containerd successfully booted in 0.052712s"},
			{"", "info", "Start cri plugin"},
		}},
		{about: eachImage, says: []words{
			{"", "info", `PullImage "{name}" returns image reference "sha256:6270bb605e12e581514ada5fd5b3216f727db55dc87d5889c790e4c760683fee"`},
		}},
		{about: anyPod, says: []words{
			{"", "info", `RunPodSandbox for &PodSandboxMetadata{Name:{pod},Uid:0f5cbb6e-55f0-4d2f-9d2b-6a1d5c1e7e5a,Namespace:{namespace},Attempt:0,} returns sandbox id "9f1a0b9c8d7e6f5a4b4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e"`},
			{"", "info", `StartContainer for "4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b" returns successfully`},
		}},
	},
	crio: {
		{about: anyPod, says: []words{
			{"", "info", `Ran pod sandbox 9f1a0b9c8d7e6f5a4b4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e with infra container: {name}/POD`},
			{"", "info", `Started container                               PID=48213 containerID=4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b description={name}/app sandboxID=9f1a0b9c8d7e6f5a4b4f1c9a7be0d2c8f3a6b5948372615d0c9e8f7a6b5c4d3e`},
		}},
	},
	docker: {
		{says: []words{
			{"", "info", "Daemon has completed initialization"},
			{"", "info", "API listen on /run/docker.sock"},
		}},
	},
	systemd: {
		{about: anyUnit, says: []words{{"", "info", "Started {name}."}}},
	},
	scheduler: {
		{about: anyPod, says: []words{{"schedule_one.go:314", "info", `"Successfully bound pod to node" pod="{name}" node="{node}" evaluatedNodes=3 feasibleNodes=2`}}},
	},
	manager: {
		{says: []words{
			{"node_lifecycle_controller.go:1044", "info", `"Controller detected that some Nodes are Ready. Exiting master disruption mode" logger="node-lifecycle-controller"`},
			{"event.go:389", "info", `"Event occurred" object="{node}" fieldPath="" kind="Node" apiVersion="v1" type="Normal" reason="NodeReady" message="Node {node} status is now: NodeReady"`},
		}},
		{about: eachVolume, says: []words{
			{"operation_generator.go:403", "info", `AttachVolume.Attach succeeded for volume "{name}" (UniqueName: "kubernetes.io/csi/{name}") from node "{node}"`},
		}},
		{about: eachPod, says: []words{
			{"event.go:389", "info", `"Event occurred" object="{name}" fieldPath="" kind="Pod" apiVersion="v1" type="Normal" reason="SuccessfulCreate" message="Created pod"`},
		}},
	},
	cloudCtl: {
		{about: anyNode, says: []words{{"node_controller.go:472", "info", `Successfully initialized node {name} with cloud provider`}}},
	},
	autoscaler: {
		{about: eachPod, says: []words{{"klogx.go:87", "info", `Pod {name} is schedulable on {node}`}}},
		{says: []words{
			{"static_autoscaler.go:554", "info", "No unschedulable pods"},
			{"clusterstate.go:267", "info", "Scale up in group pool-1 finished successfully in 1m32s"},
		}},
	},
	proxy: {
		{says: []words{
			{"proxier.go:1547", "info", `"Reloading service iptables data" ipFamily="IPv4" numServices=12 numEndpoints=31 numFilterChains=6`},
			{"proxier.go:822", "info", `"SyncProxyRules complete" ipFamily="IPv4" elapsed="41.2ms"`},
		}},
	},
	apiserver: {
		{says: []words{
			{"alloc.go:330", "info", `"allocated clusterIPs" service="default/app" clusterIPs={"IPv4":"10.96.14.3"}`},
			{"controller.go:667", "info", "quota admission added evaluator for: endpointslices.discovery.k8s.io"},
		}},
	},
	etcd: {
		{says: []words{
			{"", "info", "ready to serve client requests"},
			{"", "info", "established peer connection"},
		}},
	},
	calico: {
		{says: []words{
			{"", "info", "Felix starting up"},
			{"", "info", "Reported health: live=true ready=true"},
			{"", "info", "Datastore connection verified, node marked ready"},
		}},
	},
	flannel: {
		{says: []words{
			{"main.go:448", "info", "Found network config - Backend type: vxlan"},
			{"main.go:517", "info", "Running backend."},
			{"vxlan_network.go:68", "info", "watching for new subnet leases"},
		}},
	},
	cilium: {
		{says: []words{
			{"", "info", "Successfully created endpoint"},
			{"", "info", "Daemon initialization completed"},
		}},
	},
}

// success returns the messages of a program about the objects in its log.
func (n names) success(s speaker, restart bool) (out []words) {
	for _, x := range successOf[s] {
		if x.restart && !restart {
			continue
		}
		about := []string{""}
		if x.about != nil {
			about = x.about(n)
		}
		for _, name := range about {
			namespace, pod, _ := strings.Cut(name, "/")
			filled := strings.NewReplacer("{node}", n.node(), "{name}", name, "{pod}", pod, "{namespace}", namespace)
			for _, w := range x.says {
				out = append(out, words{w.caller, w.level, filled.Replace(w.text)})
			}
		}
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
