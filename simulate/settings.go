package simulate

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/nodetriage/nodetriage/evidence"
)

// Periods of the control plane and the kubelet, by default
// (kubernetes v1.36.3: pkg/controller/{nodelifecycle,podgc}/config/v1alpha1, cmd/kube-controller-manager/app/options,
// pkg/controller/volume/attachdetach, pkg/kubelet/kubelet.go).
const (
	renewPeriod    = 10400 * time.Millisecond // a quarter of 40 s, and the jitter
	taintLoop      = 100 * time.Millisecond
	slotDrift      = 130 * time.Millisecond // by which the period between two nodes of a zone is longer on a real control plane
	gcQuarantine   = 40 * time.Second       // of a node that is gone
	gcPeriod       = 20 * time.Second       // of the pod garbage collector
	forceDetach    = 6 * time.Minute        // of a volume that a node does not unmount
	detachTick     = 100 * time.Millisecond // of the attach-detach controller
	statusSync     = 10 * time.Second       // of the kubelet's pod status
	startup        = 15 * time.Second       // of a kubelet and its runtime, until Ready
	termination    = 2 * time.Second        // that a kubelet takes besides the grace period
	apiLag         = 50 * time.Millisecond  // between a write and the controller that reacts
	secondsOfAPI   = time.Second            // times in the API are cut to seconds
	defaultSeconds = int64(300)             // that pods tolerate a node that is not ready
	defaultGrace   = int64(30)              // terminationGracePeriodSeconds
)

// settings are what depends on the version of the control plane and on its flags. Where the version is not known,
// the least and the most differ.
type settings struct {
	managerFlags
	graceLeast, graceMost         time.Duration // --node-monitor-grace-period
	noExecuteLeast, noExecuteMost time.Duration // from Unknown to the taint
	race                          bool          // a node may be tainted in the pass that stops the tainting
	says                          []string
}

// newSettings reads the server's version; where it is not known, kubelets say what it is at least: a kubelet is
// never newer than its server.
func newSettings(s *evidence.Snapshot, flags managerFlags) settings {
	minor, exact := serverMinor(s)
	set := settings{
		managerFlags: flags,
		graceLeast:   50 * time.Second, graceMost: 50 * time.Second,
		noExecuteMost: taintLoop, race: true,
	}
	if minor < 32 {
		set.graceLeast = 40 * time.Second
		if exact {
			set.graceMost = set.graceLeast
		}
	}
	if minor < 34 {
		set.noExecuteMost = flags.monitorPeriod + 2*taintLoop
		if exact {
			set.noExecuteLeast, set.race = flags.monitorPeriod, false
		}
	}
	if flags.monitorGrace != 0 {
		set.graceLeast, set.graceMost = flags.monitorGrace, flags.monitorGrace
		set.says = append(set.says, fmt.Sprintf("a node is lost after %s without a heartbeat, as asked for", flags.monitorGrace))
		return set
	}
	grace := fmt.Sprintf("%s without a heartbeat", set.graceMost)
	switch {
	case exact:
		grace += fmt.Sprintf(", the default of Kubernetes 1.%d", minor)
	case set.graceLeast != set.graceMost:
		grace = fmt.Sprintf("%s to %s (the version of the API server is not known)", set.graceLeast, grace)
	}
	set.says = append(set.says, "a node is lost after "+grace+"; a provider may have set another --node-monitor-grace-period")
	return set
}

// serverMinor is the minor version of the control plane; not exact: at least that one.
func serverMinor(s *evidence.Snapshot) (minor uint, exact bool) {
	if v, err := version.ParseGeneric(s.Data().Server.Version); err == nil {
		return v.Minor(), true
	}
	for _, n := range s.Data().Nodes {
		if v, err := version.ParseGeneric(n.Node.Status.NodeInfo.KubeletVersion); err == nil {
			minor = max(minor, v.Minor())
		}
	}
	return minor, false
}
