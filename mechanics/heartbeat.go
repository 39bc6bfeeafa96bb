package mechanics

import (
	"time"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/nodetriage/nodetriage/evidence"
)

// RenewPeriod is the longest interval between two lease renewals: a quarter of nodeLeaseDurationSeconds, 40 by default,
// plus jitter. After a missed renewal the node may be down, but this is certain only after the grace period
// (nodeLeaseRenewIntervalFraction of pkg/kubelet/kubelet.go, and k8s.io/component-helpers
// apimachinery/lease/controller.go, v1.36.3).
const RenewPeriod = 10400 * time.Millisecond

// FreshLease is the age of a lease at which the next renewal is not overdue.
const FreshLease = RenewPeriod * 3 / 2

// LateLease is the age of a lease with one missed renewal and the next one due. The kubelet may have stopped, but its
// node is Ready until the grace period ends.
const LateLease = 2 * RenewPeriod

// MissedLease is the age of a lease with two missed renewals. One renewal may be late if the API server or the machine
// is busy.
const MissedLease = 3 * RenewPeriod

// StatusPeriod is the longest interval between two node status updates: nodeStatusReportFrequency is five minutes, and
// a change moves the next update by up to half of that (calculateDelay of pkg/kubelet/kubelet_node_status.go, v1.36.3).
const StatusPeriod = 5 * time.Minute * 3 / 2

// StaleStatus is the age at which a node status is stale: the kubelet missed an update.
const StaleStatus = 2 * StatusPeriod

// Grace is the time without a heartbeat after which the control plane sets Ready to Unknown. Least and Most differ if
// the version of the control plane is unknown.
type Grace struct{ Least, Most time.Duration }

// HeartbeatGrace returns the grace period: 50 s since 1.32, 40 s before, or --node-monitor-grace-period if known (0:
// unknown). No controller uses the duration in the lease (pkg/controller/nodelifecycle/config/v1alpha1/defaults.go and
// tryUpdateNodeHealth of pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.31.0, v1.32.0 and v1.36.3).
func HeartbeatGrace(d *evidence.Data, flag time.Duration) Grace {
	const before, since = 40 * time.Second, 50 * time.Second
	switch minor, exact := ServerMinor(d); {
	case flag != 0:
		return Grace{flag, flag}
	case minor >= 32:
		return Grace{since, since}
	case exact:
		return Grace{before, before}
	}
	return Grace{before, since}
}

// Overdue reports whether a heartbeat of that age exceeds the grace period.
func (g Grace) Overdue(age time.Duration) evidence.Fact {
	switch {
	case age <= g.Least:
		return evidence.False
	case age > g.Most:
		return evidence.True
	}
	return evidence.Unknown
}

// ServerMinor returns the minor version of the control plane; not exact: at least that one. It falls back to the
// versions of kubelets because none is newer than its API server (kubernetes.io/releases/version-skew-policy).
func ServerMinor(d *evidence.Data) (minor uint, exact bool) {
	if v, err := version.ParseGeneric(d.Server.Version); err == nil {
		return v.Minor(), true
	}
	last := ""
	for _, n := range d.Nodes {
		text := n.Node.Status.NodeInfo.KubeletVersion
		if text == last { // most nodes have the same version as the previous one
			continue
		}
		last = text
		if v, err := version.ParseGeneric(text); err == nil {
			minor = max(minor, v.Minor())
		}
	}
	return minor, false
}
