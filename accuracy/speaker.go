package accuracy

import (
	"path"
	"regexp"
	"strings"
)

// speaker is the program that writes a log line; empty: unknown.
type speaker string

// Programs whose normal messages are known.
const (
	kubelet    speaker = "kubelet"
	containerd speaker = "containerd"
	crio       speaker = "crio"
	docker     speaker = "dockerd"
	kernel     speaker = "kernel"
	systemd    speaker = "systemd"
	scheduler  speaker = "kube-scheduler"
	manager    speaker = "kube-controller-manager"
	cloudCtl   speaker = "cloud-controller-manager"
	autoscaler speaker = "cluster-autoscaler"
	proxy      speaker = "kube-proxy"
	apiserver  speaker = "kube-apiserver"
	etcd       speaker = "etcd"
	calico     speaker = "calico-node"
	flannel    speaker = "flannel"
	cilium     speaker = "cilium"
)

// idents are the names under which programs write to the journal, and the names of files that contain one program's log.
var idents = map[string]speaker{
	"kubelet": kubelet, "kubelet-wrapper": kubelet, "hyperkube": kubelet, "kubenswrapper": kubelet, "origin-node": kubelet,
	"atomic-openshift-node": kubelet, "k3s": kubelet, "rke2": kubelet, "k0s": kubelet, "microk8s.daemon-kubelite": kubelet,
	"localkube": kubelet, "k3s-agent": kubelet, "containerd": containerd, "crio": crio, "dockerd": docker, "docker": docker,
	"kernel": kernel, "dmesg": kernel, "systemd": systemd, "etcd": etcd, "kube-apiserver": apiserver, "apiserver": apiserver,
	"kube-scheduler": scheduler, "scheduler": scheduler, "kube-controller-manager": manager, "kcm": manager,
	"ccm": cloudCtl, "cloud-controller-manager": cloudCtl, "autoscaler": autoscaler, "cluster-autoscaler": autoscaler,
	"kube-proxy": proxy, "calico-node": calico, "flannel": flannel, "kube-flannel": flannel, "cilium": cilium,
	"cilium-agent": cilium,
}

// callers are source files that only one program has, as klog names them.
var callers = map[string]speaker{
	"kubelet.go": kubelet, "kubelet_node_status.go": kubelet, "remote_runtime.go": kubelet, "eviction_manager.go": kubelet,
	"pod_workers.go": kubelet, "kuberuntime_manager.go": kubelet, "volume_manager.go": kubelet, "kuberuntime_sandbox.go": kubelet,
	"cni.go": kubelet, "setters.go": kubelet, "container_log_manager.go": kubelet, "cpu_manager.go": kubelet, "generic.go": kubelet,
	"desired_state_of_world_populator.go": kubelet, "state_mem.go": kubelet, "status_manager.go": kubelet, "remote_image.go": kubelet,
	"kubelet_network_linux.go": kubelet, "plugin_manager.go": kubelet, "fs_resource_analyzer.go": kubelet, "oom_linux.go": kubelet,
	"container_manager_linux.go": kubelet, "memory_manager.go": kubelet, "plugin_watcher.go": kubelet, "image_gc_manager.go": kubelet,
	"kuberuntime_container.go": kubelet, "kuberuntime_image.go": kubelet, "kubelet_pods.go": kubelet, "kubelet_volumes.go": kubelet,
	"kubelet_getters.go": kubelet, "container_gc.go": kubelet, "pod_container_deletor.go": kubelet, "docker_service.go": kubelet,
	"mirror_client.go": kubelet, "kubelet_network.go": kubelet, "csi_plugin.go": kubelet, "nodelease.go": kubelet,
	"cadvisor_linux.go": kubelet, "swap_util.go": kubelet, "nestedpendingoperations.go": kubelet, "pod_startup_latency_tracker.go": kubelet,
	"topology_manager.go": kubelet, "state_checkpoint.go": kubelet, "container_manager.go": kubelet, "reconciler_common.go": kubelet,

	"node_lifecycle_controller.go": manager, "attacher.go": manager, "azure_controller_vmss.go": manager, "certificate_controller.go": manager,
	"operation_executor.go": manager, "cidr_allocator.go": manager, "taint_eviction.go": manager,
	"gce_instances.go": cloudCtl, "search.go": cloudCtl, "aws_cloud_provider.go": autoscaler, "cluster.go": autoscaler,
	"azure_manager.go": autoscaler, "kube.go": flannel,
	"nodecontroller.go": manager, "replica_set.go": manager, "gc_controller.go": manager,
	"controllermanager.go": manager, "network_routes_controller.go": manager,
	"schedule_one.go": scheduler, "static_autoscaler.go": autoscaler, "scale_up.go": autoscaler, "scale_down.go": autoscaler,
	"orchestrator.go": autoscaler, "clusterstate.go": autoscaler, "azure_scale_set.go": autoscaler, "aws_manager.go": autoscaler,
	"node_controller.go": cloudCtl, "proxier.go": proxy, "conntrack.go": proxy, "vxlan.go": flannel,
}

var (
	journalHead = regexp.MustCompile(`^(?:` + months + ` [ \d]?\d \d\d:\d\d:\d\d(?:\.\d+)?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)) (\S+) ([^\s\[\]:"=]+)(?:\[\d+\])?: `)
	klogBody    = regexp.MustCompile(`([IWEF])(\d{4} \d\d:\d\d:\d\d\.\d+)(\s+\d+ )([\w.-]+\.go):(\d+)\] ?(.*)$`)
	logrusBody  = regexp.MustCompile(`time="([^"]+)" level=(\w+) msg="`)
	calicoBody  = regexp.MustCompile(`^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+) \[(\w+)\]\[(\d+)\] (\S+) (\d+): `)
	ringHead    = regexp.MustCompile(`^(?:<\d+>)?\[ *\d+\.\d{6}\] |^\[` + weekdays + ` ` + months)
	ringProgram = regexp.MustCompile(`^(?:<\d+>)?\[[^\]]*\] ([\w.-]+)\[\d+\]: `)
	etcdOld     = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [IWEC] \| `)
	ciliumBody  = regexp.MustCompile(`\bsubsys=[\w-]+`)
)

// words that only one program logs, in lines of source files whose name several programs share.
var saidBy = regexp.MustCompile(`ensure lease exists|node lease|Kubelet|kubelet config|failed to run Kubelet`)

// speakersOf returns the program of each log line. Lines of one process are from one program. Without a journal only some lines
// of a program identify it.
func speakersOf(block []string, file string) []speaker {
	out := make([]speaker, len(block))
	byProcess := map[string]speaker{}
	for i, l := range block {
		out[i] = speakerOf(l, file)
		if m := klogBody.FindStringSubmatch(l); m != nil {
			process := strings.TrimSpace(m[3])
			if out[i] == "" && saidBy.MatchString(m[6]) {
				out[i] = kubelet
			}
			if out[i] != "" && process != "1" {
				byProcess[process] = out[i]
			}
		}
	}
	for i, l := range block {
		if m := klogBody.FindStringSubmatch(l); m != nil && out[i] == "" {
			out[i] = byProcess[strings.TrimSpace(m[3])]
		}
	}
	return out
}

// speakerOf returns the program of a line, only by its head. file is the name of the file, for heads that many programs use.
func speakerOf(line, file string) speaker {
	if m := journalHead.FindStringSubmatch(line); m != nil {
		return idents[m[2]]
	}
	byFile := idents[strings.TrimSuffix(path.Base(file), path.Ext(file))]
	if m := klogBody.FindStringSubmatch(line); m != nil {
		if s := callers[m[4]]; s != "" && (byFile == "" || byFile == s) {
			return s
		}
		return byFile
	}
	switch {
	case calicoBody.MatchString(line):
		return calico
	case etcdOld.MatchString(line):
		return etcd
	case ringHead.MatchString(line):
		if m := ringProgram.FindStringSubmatch(line); m != nil { // messages of a program before the journal starts
			return idents[m[1]]
		}
		return kernel
	case logrusBody.MatchString(line) && ciliumBody.MatchString(line):
		return cilium
	}
	return byFile
}
