package collect

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// maxMessage bounds the message of an event, in bytes; the API's own bound for new events is 1 KiB.
const maxMessage = 8 << 10

// addMeasured adds an object of a file while the evidence stays within its bound. raw is the size of its JSON.
func (b *Builder) addMeasured(obj any, raw int) (evidence.Kind, bool) {
	var kind evidence.Kind
	if !b.room(0) {
		return "", false
	}
	if e, ok := obj.(*corev1.Event); ok {
		e.Message = wording.Cut(e.Message, maxMessage)
	}
	b.Edit(func(d *evidence.Data, t *evidence.Templates) {
		kind = d.Add(t, obj)
		b.size += cost(d, kind, raw)
	})
	return kind, true
}

// room reserves n bytes of the memory for evidence of files. It returns false if the memory is used up.
func (b *Builder) room(n int) bool {
	full := false
	b.Edit(func(_ *evidence.Data, t *evidence.Templates) {
		size := roomForObjects(b.door.soFar())
		if full = b.size+n+t.Size() > size; !full {
			b.size += n
		} else if b.full == 0 {
			b.full = size
		}
	})
	if full {
		b.Incomplete(evidence.Everything, "the rest of the evidence", fullWhy(b.full)+"; further objects were left out",
			"give the part about the nodes that are sick")
	}
	return !full
}

// cost returns an upper estimate of the memory of the object that was added last. The templates count what pods and workloads
// share.
func cost(d *evidence.Data, kind evidence.Kind, raw int) int {
	const (
		small  = 600     // structs, pointers and slots of maps
		judged = 6 << 10 // results of rules for an unhealthy object, and their consequences
	)
	switch kind {
	case evidence.Nodes:
		if d.Nodes[len(d.Nodes)-1].Ready() != evidence.True {
			return small + judged + 2*raw
		}
	case evidence.Pods:
		p := d.Pods[len(d.Pods)-1]
		n := small + len(p.Namespace) + len(p.Name) + len(p.UID) + len(p.Node) + len(p.Reason) + len(p.Message) + len(p.Owner.Name)
		if p.Stated() && !p.Works() {
			n += judged
		}
		for _, f := range p.Finalizers {
			n += 16 + len(f)
		}
		for _, c := range p.Conditions {
			n += 128 + len(c.Type) + len(c.Reason) + len(c.Message)
		}
		for _, c := range p.Containers {
			n += 256 + len(c.Name) + len(c.Reason) + len(c.Message) + len(c.LastReason) + len(c.LastMessage) + len(c.Image)
		}
		return n
	case evidence.Events:
		e := d.Events[len(d.Events)-1]
		return small + len(e.Object.Name) + len(e.Object.Namespace) + len(e.Object.Kind) + len(e.Reason) + len(e.Message) + len(e.Component) + len(e.Host)
	case evidence.Workloads:
		w := d.Workloads[len(d.Workloads)-1]
		n := small + len(w.Namespace) + len(w.Name) + len(w.Selector)
		for _, c := range w.Conditions {
			n += 128 + len(c.Type) + len(c.Reason) + len(c.Message)
		}
		return n
	}
	return small + 2*raw
}
