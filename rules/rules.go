package rules

import (
	"github.com/nodetriage/nodetriage/rules/cloud"
	"github.com/nodetriage/nodetriage/rules/kubelet"
	"github.com/nodetriage/nodetriage/rules/messages"
	"github.com/nodetriage/nodetriage/rules/nodes"
	"github.com/nodetriage/nodetriage/rules/reports"
	"github.com/nodetriage/nodetriage/rules/system"
	"github.com/nodetriage/nodetriage/rules/workloads"
	"github.com/nodetriage/nodetriage/triage"
)

// All returns every rule, in the order in which they run. No rule depends on what another concludes.
func All() []*triage.Rule {
	return []*triage.Rule{
		// Messages of every component, alone and compared with each other.
		messages.SignatureMatches, messages.UnreadLines, messages.StaleConnection, messages.CertificateDates, messages.TaskGroups,
		// Nodes as the API shows them.
		nodes.NotReady, nodes.LeaseClock, nodes.HeartbeatClock, nodes.Cordon, nodes.CloudTaints, nodes.MemoryPressure, nodes.DiskPressure, nodes.PodsLimit, nodes.NodeFlaps, nodes.DeletedNodes, nodes.MonitorAlarms, nodes.Usage,
		// Nodes as their kubelets show them.
		kubelet.Port, kubelet.PortUnreachable, kubelet.Requests, kubelet.Certificate, kubelet.Relist, kubelet.Refusals, kubelet.RuntimeOperations,
		// Nodes as they show themselves.
		reports.Filesystems, reports.Units, reports.Processes, reports.Certificates, reports.Runtime, reports.Tasks, reports.Memory,
		reports.CNI, reports.Modules, reports.Lookups, reports.Losses, reports.Connections, reports.Partition, reports.Links, reports.Clock,
		reports.Counters, reports.Hung, reports.Needs, reports.Pressure, reports.Cloud, reports.Past,
		reports.Devices, reports.Kernel, reports.Tallies, reports.Groups, reports.Endpoints, reports.StaticPods, reports.GPUs, reports.Bootstrap,
		reports.PacketFilter, reports.Routes, reports.MTU, reports.Egress,
		// Nodes among their like, and in the cloud.
		nodes.Correlated, nodes.Upgrade, nodes.UpgradePlain, nodes.UpgradeLeftovers, nodes.SpotNodes, cloud.Machines, cloud.Activities, cloud.Initialization,
		cloud.Power, cloud.Subscription, cloud.Health, cloud.Operations, cloud.Disks, cloud.Counts, cloud.Room, cloud.Outbound, cloud.Repair, cloud.Confirmed, cloud.Codes,
		// What nodes depend on.
		system.ControlPlane, system.APIReach, system.StaticPods, system.Webhooks, system.CSR, system.Pods, system.NetworkAgents, system.NodeAgents, system.CNILeftovers, reports.CNITwoConfigs, system.PodAddresses,
		system.DaemonSets, system.DaemonSetsUnplaced,
		// What runs on them.
		workloads.PodsNotStarting, workloads.TerminatingPods, workloads.LostSandboxes, workloads.DrainBlockers, workloads.DrainNoCapacity, workloads.DrainLeftovers, workloads.DrainTables, workloads.DrainLocalStorage, workloads.PinnedPods,
		workloads.VolumeAttachments, workloads.LostVolumes, workloads.VolumeAffinity,
	}
}
