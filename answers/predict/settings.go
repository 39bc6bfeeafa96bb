package predict

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Periods of the control plane and the kubelet, by default
// (kubernetes v1.36.3: pkg/controller/{nodelifecycle,podgc}/config/v1alpha1, cmd/kube-controller-manager/app/options,
// pkg/controller/volume/attachdetach, pkg/kubelet/kubelet.go).
const (
	taintLoop    = 100 * time.Millisecond
	slotDrift    = 130 * time.Millisecond // by which the period between two nodes of a zone is longer on a real control plane
	gcQuarantine = 40 * time.Second       // of a node that is gone
	gcPeriod     = 20 * time.Second       // of the pod garbage collector
	detachTick   = 100 * time.Millisecond // of the attach-detach controller
	statusSync   = 10 * time.Second       // of the kubelet's pod status
	startup      = 15 * time.Second       // of a kubelet and its runtime, until Ready
	termination  = 2 * time.Second        // that a kubelet takes besides the grace period
	apiLag       = 50 * time.Millisecond  // between a write and the controller that reacts
	secondsOfAPI = time.Second            // times in the API are cut to seconds
)

// settings are what depends on the version of the control plane and on its flags. Where the version is not known,
// the least and the most differ.
type settings struct {
	managerFlags
	grace                         mechanics.Grace
	noExecuteLeast, noExecuteMost time.Duration // from Unknown to the taint
	race                          bool          // a node may be tainted in the same pass in which the controller stops tainting
	assumptions                   []string
}

// newSettings reads the server's version; where it is not known, kubelets say what it is at least: a kubelet is
// never newer than its server.
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
		set.assumptions = append(set.assumptions, fmt.Sprintf("a node is lost after %s without a heartbeat, as asked for", flags.monitorGrace))
		return set
	}
	grace := fmt.Sprintf("%s without a heartbeat", set.grace.Most)
	switch {
	case exact:
		grace += fmt.Sprintf(", the default of Kubernetes 1.%d", minor)
	case set.grace.Least != set.grace.Most:
		grace = fmt.Sprintf("%s to %s (the version of the API server is not known)", set.grace.Least, grace)
	}
	set.assumptions = append(set.assumptions, "a node is lost after "+grace+"; a provider may have set another --node-monitor-grace-period")
	return set
}
