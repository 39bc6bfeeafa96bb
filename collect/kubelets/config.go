package kubelets

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// chosenConfig are the fields of the kubelet configuration (/configz, KubeletConfiguration v1beta1 of k8s.io/kubelet v0.36.3) that
// evidence.Kubelet.Config keeps, by path. Of an object or a list, it keeps everything below. Values are as in the JSON, strings
// without quotes.
var chosenConfig = []string{
	"cgroupDriver", "cgroupVersion", "cgroupsPerQOS", "failCgroupV1", "enforceNodeAllocatable",
	"clusterDNS", "clusterDomain", "resolvConf", "address", "port", "healthzPort",
	"containerRuntimeEndpoint", "runtimeRequestTimeout", "serializeImagePulls", "maxParallelImagePulls", "registryPullQPS",
	"cpuManagerPolicy", "memoryManagerPolicy", "topologyManagerPolicy",
	"evictionHard", "evictionSoft", "evictionSoftGracePeriod", "evictionPressureTransitionPeriod", "mergeDefaultEvictionSettings",
	"failSwapOn", "memorySwap", "featureGates", "localStorageCapacityIsolation",
	"imageGCHighThresholdPercent", "imageGCLowThresholdPercent", "imageMinimumGCAge", "imageMaximumGCAge",
	"kubeReserved", "systemReserved", "reservedSystemCPUs",
	"containerLogMaxSize", "containerLogMaxFiles", "maxOpenFiles", "maxPods", "podsPerCore", "podPidsLimit",
	"nodeLeaseDurationSeconds", "nodeStatusReportFrequency", "nodeStatusUpdateFrequency", "syncFrequency",
	"podCIDR", "protectKernelDefaults", "readOnlyPort", "registerNode", "staticPodPath",
	"rotateCertificates", "serverTLSBootstrap", "shutdownGracePeriod", "shutdownGracePeriodCriticalPods", "shutdownGracePeriodByPodPriority",
	"enableSystemLogHandler", "enableSystemLogQuery", "enableDebuggingHandlers",
}

const maxFields = 300 // values that are kept of one configuration

// ReadConfigz returns the chosen fields of a /configz response.
func ReadConfigz(r io.Reader) (map[string]string, error) {
	var doc struct {
		Config map[string]any `json:"kubeletconfig"`
	}
	dec := json.NewDecoder(r)
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		return nil, fmt.Errorf("read kubelet configuration: %w", err)
	}
	out := map[string]string{}
	for _, name := range chosenConfig {
		if v, ok := doc.Config[name]; ok {
			flatten(out, name, v)
		}
	}
	return out, nil
}

func flatten(out map[string]string, path string, v any) {
	if len(out) >= maxFields {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			flatten(out, path+"."+k, child)
		}
	case []any:
		var items []string
		for i, item := range v {
			if object, is := item.(map[string]any); is {
				flatten(out, path+"."+strconv.Itoa(i), object)
				continue
			}
			items = append(items, fmt.Sprint(item))
		}
		if len(items) > 0 || len(v) == 0 {
			out[path] = wording.Cut(strings.Join(items, ","), maxText)
		}
	case string:
		out[path] = wording.Cut(v, maxText)
	case bool:
		out[path] = strconv.FormatBool(v)
	case json.Number:
		out[path] = v.String()
	}
}

// summaryNode is the node part of /stats/summary (k8s.io/kubelet pkg/apis/stats/v1alpha1).
type summaryNode struct {
	CPU struct {
		Usage *uint64 `json:"usageNanoCores"`
	} `json:"cpu"`
	Memory struct {
		Available  *uint64 `json:"availableBytes"`
		WorkingSet *uint64 `json:"workingSetBytes"`
	} `json:"memory"`
	FS      *summaryFS `json:"fs"`
	Runtime struct {
		ImageFS *summaryFS `json:"imageFs"`
	} `json:"runtime"`
	Rlimit struct {
		Max     *int64 `json:"maxpid"`
		Current *int64 `json:"curproc"`
	} `json:"rlimit"`
}

type summaryFS struct {
	Capacity   uint64 `json:"capacityBytes"`
	Available  uint64 `json:"availableBytes"`
	Inodes     uint64 `json:"inodes"`
	InodesFree uint64 `json:"inodesFree"`
}

// stats converts the node statistics to evidence.
func (n *summaryNode) stats() *evidence.KubeletStats {
	return &evidence.KubeletStats{
		CPUUsed: n.CPU.Usage, MemoryAvailable: n.Memory.Available, MemoryWorking: n.Memory.WorkingSet,
		NodeFS: (*evidence.FSStat)(n.FS), ImageFS: (*evidence.FSStat)(n.Runtime.ImageFS),
		Tasks: n.Rlimit.Current, TasksMax: n.Rlimit.Max,
	}
}
