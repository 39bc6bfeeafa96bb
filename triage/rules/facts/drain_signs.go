package facts

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// drainReasons are parts of event reasons for a node that is being drained, by AKS, kubectl, karpenter and others.
var drainReasons = []string{"drain", "surge", "upgrade", "cordon", "disruption", "eviction"}

// ofPressure is the event reason of a kubelet that evicts because of pressure.
const ofPressure = "evictionthresholdmet"

// notSchedulable is the kubelet's event reason when its node is cordoned, and when it starts on a node that was cordoned long ago
// (kubernetes pkg/kubelet/kubelet_node_status.go, 1.36.3).
const notSchedulable = "nodenotschedulable"

// Busy reports whether an upgrade or drain of the node was seen in the last hour, or may be running. With an older cordon only
// clear signs count, because pods come and go anyway, and a starting kubelet reports the cordon again.
func Busy(p *triage.Pass, n *evidence.Node) bool {
	at, _ := n.CordonedBy()
	age, known := p.Age(at)
	if known && age >= LongCordon {
		return Emptied(p, n)
	}
	leaving := slices.ContainsFunc(p.Snapshot.PodsOn(n.Name), (*evidence.Pod).Deleting)
	return leaving || toldLately(p, n, []string{notSchedulable}) || Emptied(p, n)
}

// Emptied reports whether an upgrade or drain of the node was seen in the last hour. Workloads that replace their pods do not
// count.
func Emptied(p *triage.Pass, n *evidence.Node) bool {
	return toldLately(p, n, drainReasons) || slices.ContainsFunc(p.Snapshot.PodsOn(n.Name), func(pod *evidence.Pod) bool {
		return pod.Deleting() && (evicted(pod) || pod.Partial || !tellsEvictions(n))
	})
}

// toldLately reports whether an event of the node in the last hour has one of these words in its reason.
func toldLately(p *triage.Pass, n *evidence.Node, words []string) bool {
	return slices.ContainsFunc(p.Snapshot.EventsOf(n.Subject()), func(e *evidence.Event) bool {
		age, known := p.Age(e.Last)
		reason := strings.ToLower(e.Reason)
		return known && age < LongCordon && reason != ofPressure && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(reason, w) })
	})
}

// evictedByAPI is the reason of a pod's DisruptionTarget after an API-initiated eviction. A kubelet, a taint and the scheduler set
// other reasons (kubernetes pkg/registry/core/pod/storage/eviction.go, 1.36.3).
const evictedByAPI = "EvictionByEvictionAPI"

// evicted reports whether a pod is deleted because of a drain, and not by its workload or because of node pressure.
func evicted(pod *evidence.Pod) bool {
	return slices.ContainsFunc(pod.Conditions, func(c evidence.PodCondition) bool {
		return c.Type == string(corev1.DisruptionTarget) && (c.Reason == evictedByAPI || c.Reason == "")
	})
}

// tellsEvictions reports whether the API server marks pods that it evicts: it does if its nodes are 1.26 or newer.
func tellsEvictions(n *evidence.Node) bool {
	v, err := version.ParseGeneric(n.Node.Status.NodeInfo.KubeletVersion)
	return err == nil && v.AtLeast(version.MajorMinor(1, 26))
}

// LongCordon is how old a cordon may be before it looks forgotten: longer than the default drain timeouts of the clouds.
const LongCordon = time.Hour

// Lately is how long ago a recent event may be.
const Lately = time.Hour
