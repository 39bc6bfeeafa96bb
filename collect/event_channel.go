package collect

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// objectReporters are the components that report events about namespaced objects. The kernel, a runtime or a cloud has no client
// of the API server there.
var objectReporters = map[logline.Speaker]bool{
	logline.Kubelet: true, logline.Scheduler: true, logline.Controllers: true, logline.CloudCtl: true, logline.CSI: true, logline.Autoscaler: true,
	logline.Agent: true, logline.Device: true, logline.ClusterAPI: true, logline.Distro: true, logline.Monitor: true, logline.Tunnel: true, logline.Proxy: true,
}

// word matches the names of kinds and reasons: no spaces.
var word = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$`)

// misplaced reports whether an event does not fit its namespace. Permission to create events in one namespace gives no authority
// over objects elsewhere. An event from a table without namespaces fits.
func misplaced(e *evidence.Event) bool {
	switch {
	case !word.MatchString(e.Object.Kind) && e.Object.Kind != "":
		return true
	case e.Namespace == "":
		return false
	case e.Object.Namespace == "":
		return e.Namespace != corev1.NamespaceDefault
	}
	return e.Namespace != e.Object.Namespace
}

// dropMisplaced removes the events that do not fit their namespace, and adds a gap with their number.
func dropMisplaced(d *evidence.Data) {
	n := len(d.Events)
	d.Events = slices.DeleteFunc(d.Events, misplaced)
	if n -= len(d.Events); n > 0 {
		d.Gaps = append(d.Gaps, evidence.Gap{
			What: "events that are not in the namespace of their object",
			Why:  fmt.Sprintf("%d were left out: everyone who can create events in a namespace can write them, about any object", n),
			How:  "kubectl get events -A -o custom-columns=NAMESPACE:.metadata.namespace,KIND:.involvedObject.kind,OBJECT:.involvedObject.name,FROM:.source.component",
		})
	}
}

// eventChannel returns the channel of an event, which limits who may have written it.
func eventChannel(e *evidence.Event, p *evidence.Pod) evidence.Channel {
	speaker := reporter(e)
	switch {
	case e.Object.Kind == "Node" || e.Object.IsZero():
		return evidence.NodeEvent
	case !word.MatchString(e.Reason) && e.Reason != "":
		return evidence.ForeignEvent
	case speaker == logline.Unknown && printed(e): // a table shows no component
		return evidence.ObjectEvent
	case !objectReporters[speaker]:
		return evidence.ForeignEvent
	}
	if p != nil && speaker == logline.Kubelet && conflict(e.Host, p.Node) {
		return evidence.ForeignEvent
	}
	return evidence.ObjectEvent
}
