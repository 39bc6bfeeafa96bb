package predict

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Default periods of the control plane and the kubelet (kubernetes v1.36.3:
// pkg/controller/{nodelifecycle,podgc}/config/v1alpha1, cmd/kube-controller-manager/app/options,
// pkg/controller/volume/attachdetach, pkg/kubelet/kubelet.go).
const (
	taintLoop    = 100 * time.Millisecond
	slotDrift    = 130 * time.Millisecond // additional time between two nodes of a zone on a real control plane
	gcQuarantine = 40 * time.Second       // of a deleted node
	gcPeriod     = 20 * time.Second       // of the pod garbage collector
	detachTick   = 100 * time.Millisecond // of the attach-detach controller
	statusSync   = 10 * time.Second       // of the kubelet's pod status
	startup      = 15 * time.Second       // of a kubelet and its runtime, until Ready
	termination  = 2 * time.Second        // time of a kubelet in addition to the grace period
	apiLag       = 50 * time.Millisecond  // from a write to the reaction of a controller
	secondsOfAPI = time.Second            // times in the API are truncated to seconds
)

// settings depend on the version of the control plane and on its flags. If the version is unknown, the least and the most
// differ.
type settings struct {
	managerFlags
	grace                         mechanics.Grace
	noExecuteLeast, noExecuteMost time.Duration // from Unknown to the taint
	race                          bool          // a node may be tainted in the pass in which the controller stops tainting
	assumptions                   []string
}

// newSettings reads the server's version. If that is unknown, kubelets give the minimum, because a kubelet is never newer than
// its server.
func newSettings(s *evidence.Snapshot, flags managerFlags) settings {
	minor, exact := mechanics.ServerMinor(s.Data())
	set := settings{
		managerFlags:  flags,
		grace:         mechanics.HeartbeatGrace(s.Data(), flags.monitorGrace),
		noExecuteMost: taintLoop, race: true,
	}
	switch mechanics.TaintedInNextPass(s.Data()) {
	case evidence.True:
		set.noExecuteLeast, set.race = flags.monitorPeriod, false
		fallthrough
	case evidence.Unknown:
		set.noExecuteMost = flags.monitorPeriod + 2*taintLoop
	}
	if flags.monitorGrace != 0 {
		set.assumptions = append(set.assumptions, fmt.Sprintf("a node becomes NotReady after %s without a heartbeat (as given)", flags.monitorGrace))
		return set
	}
	grace := fmt.Sprintf("%s without a heartbeat", set.grace.Most)
	switch {
	case exact:
		grace += fmt.Sprintf(", the default of Kubernetes 1.%d", minor)
	case set.grace.Least != set.grace.Most:
		grace = fmt.Sprintf("%s to %s (unknown API server version)", set.grace.Least, grace)
	}
	set.assumptions = append(set.assumptions, "a node becomes NotReady after "+grace+"; the provider may use another --node-monitor-grace-period")
	return set
}
