package mechanics

import (
	"time"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/nodetriage/nodetriage/evidence"
)

// RenewPeriod is the longest time between two renewals of a kubelet's lease: a quarter of nodeLeaseDurationSeconds, which is
// 40 by default, and the jitter. A node may be down from its first missed renewal on; that it is down nobody can tell
// before the grace period has passed
// (nodeLeaseRenewIntervalFraction of pkg/kubelet/kubelet.go, and k8s.io/component-helpers apimachinery/lease/controller.go,
// v1.36.3).
const RenewPeriod = 10400 * time.Millisecond

// LateLease is the age of a lease at which its kubelet has missed a renewal and the next is due: it may have stopped, though
// its node counts as Ready until the grace period ends.
const LateLease = 2 * RenewPeriod

// MissedLease is the age of a lease at which two renewals are missing. One may be late where the API server or the machine is busy.
const MissedLease = 3 * RenewPeriod

// StatusPeriod is the longest time between two reports of a node's status: nodeStatusReportFrequency is five minutes, and a
// change moves the next report by up to half of that
// (calculateDelay of pkg/kubelet/kubelet_node_status.go, v1.36.3).
const StatusPeriod = 5 * time.Minute * 3 / 2

// StaleStatus is the age at which a node's status says nothing of now: its kubelet missed a report.
const StaleStatus = 2 * StatusPeriod

// Grace is how long the control plane waits for a heartbeat before it sets Ready to Unknown. Least and Most differ where
// the version of the control plane is not known.
type Grace struct{ Least, Most time.Duration }

// HeartbeatGrace returns the grace period: 50 s since 1.32, 40 s before, or what --node-monitor-grace-period says, if
// that is known (0: it is not). The lease's own duration does not matter, for no controller looks at it
// (pkg/controller/nodelifecycle/config/v1alpha1/defaults.go and tryUpdateNodeHealth of
// pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.31.0, v1.32.0 and v1.36.3).
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

// Overdue reports whether a heartbeat of that age is older than the control plane allows.
func (g Grace) Overdue(age time.Duration) evidence.Fact {
	switch {
	case age <= g.Least:
		return evidence.False
	case age > g.Most:
		return evidence.True
	}
	return evidence.Unknown
}

// ServerMinor returns the minor version of the control plane; not exact: at least that one. Where it was not read, kubelets
// tell: none is newer than its API server (kubernetes.io/releases/version-skew-policy).
func ServerMinor(d *evidence.Data) (minor uint, exact bool) {
	if v, err := version.ParseGeneric(d.Server.Version); err == nil {
		return v.Minor(), true
	}
	last := ""
	for _, n := range d.Nodes {
		text := n.Node.Status.NodeInfo.KubeletVersion
		if text == last { // most nodes have the version of the one before
			continue
		}
		last = text
		if v, err := version.ParseGeneric(text); err == nil {
			minor = max(minor, v.Minor())
		}
	}
	return minor, false
}
