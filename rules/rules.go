package rules

import "github.com/nodetriage/nodetriage/triage"

// All returns every rule, in the order in which they run. No rule depends on another.
func All() []*triage.Rule {
	return []*triage.Rule{
		// Messages of every component, alone and compared with each other.
		signatureMatches, unreadLines, staleConnection, certificateDates, taskGroups,
		// Nodes as the API shows them.
		nodeNotReady, leaseClock, heartbeatClock, cordon, cloudTaints, memoryPressure, diskPressure, podsLimit, nodeFlaps, deletedNodes, monitorAlarms,
		// Nodes as their kubelets show them.
		kubeletPort, kubeletPortUnreachable, kubeletRequests, kubeletCertificate, kubeletRelist, kubeletRefusals, runtimeOperations,
		// Nodes as they show themselves.
		reportFilesystems, reportUnits, reportProcesses, reportCertificates, reportRuntime, reportTasks, reportMemory,
		reportCNI, reportModules, reportLookups, reportLosses, reportConnections, reportPartition, reportLinks, reportClock,
		reportCounters, reportHung, reportNeeds, reportPressure, reportCloud, reportPast,
		// Nodes among their like, and in the cloud.
		correlated, upgrade, upgradePlain, upgradeLeftovers, spotNodes, cloudMachines, cloudActivities, cloudInitialization,
		cloudPower, cloudSubscription, cloudHealth, cloudOperations, cloudDisks, cloudCounts, cloudRoom, cloudOutbound, cloudRepair, cloudConfirmed, cloudCodes,
		// What nodes depend on.
		controlPlane, apiReach, staticPods, webhooks, csr, systemPods, networkPods, nodeAgents, cniLeftovers, cniTwoConfigs, podAddresses,
		daemonSets, daemonSetsUnplaced,
		// What runs on them.
		podsNotStarting, terminatingPods, lostSandboxes, drainBlockers, drainNoCapacity, drainLeftovers, drainTables, drainLocalStorage, pinnedPods,
		volumeAttachments, lostVolumes, volumeAffinity,
	}
}
