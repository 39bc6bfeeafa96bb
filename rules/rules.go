package rules

import "github.com/nodetriage/nodetriage/triage"

// All returns every rule, in the order in which they run. No rule depends on another.
func All() []*triage.Rule {
	return []*triage.Rule{
		// Messages of every component.
		signatureMatches,
		// Nodes as the API shows them.
		nodeNotReady, kubeletPort, cloudTaints, cordon, upgrade, pressure, podsLimit, correlated,
		// Nodes as they show themselves.
		reportFilesystems, reportUnits, reportCertificates, reportRuntime, reportLimits,
		// What nodes depend on.
		controlPlane, webhooks, csr, systemPods, networkPods, daemonSets,
		// What runs on them.
		terminatingPods, drainBlockers, pinnedPods, volumeAttachments,
	}
}
