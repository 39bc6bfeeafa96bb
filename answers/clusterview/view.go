package clusterview

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/mechanics/admission"
)

// View is a Snapshot as of a time, with cached indexes.
type View struct {
	*evidence.Snapshot
	Now time.Time
	// Closed are nodes that will be cordoned. They are treated as cordoned.
	Closed   []string
	Policies *admission.Policies
	Budgets  mechanics.Budgets
	ready    map[evidence.Owner][]*evidence.Pod // ready pods by TopOwner
}

// New returns the View of s. A zero time means that of the evidence.
func New(s *evidence.Snapshot, now time.Time) *View {
	if now.IsZero() {
		now = s.TakenAt()
	}
	v := &View{
		Snapshot: s, Now: now, Policies: admission.New(s), Budgets: mechanics.NewBudgets(s.Data().PDBs),
		ready: map[evidence.Owner][]*evidence.Pod{},
	}
	for _, p := range s.Data().Pods {
		if p.Ready == evidence.True && p.Owner != (evidence.Owner{}) {
			o := v.TopOwner(p)
			v.ready[o] = append(v.ready[o], p)
		}
	}
	return v
}

// At returns the time of a plan in its JSON form; nil if neither the caller nor the evidence has one.
func At(s *evidence.Snapshot, now time.Time) *time.Time {
	if now.IsZero() {
		now = s.TakenAt()
	}
	return evidence.Stamp(now)
}

// TopOwner returns the end of the pod's chain of controllers, with the namespace in its name.
func (v *View) TopOwner(p *evidence.Pod) evidence.Owner {
	if w := v.TopOwnerOf(p); w != nil {
		return evidence.Owner{Kind: w.Kind, Name: w.Namespace + "/" + w.Name}
	}
	return evidence.Owner{Kind: p.Owner.Kind, Name: p.Namespace + "/" + p.Owner.Name}
}

// WorkloadName returns the end of the pod's chain of controllers in the form deployment/web.
func (v *View) WorkloadName(p *evidence.Pod) string {
	o := v.TopOwner(p)
	if o.Kind == "" {
		return p.Key()
	}
	return strings.ToLower(o.Kind) + "/" + o.Name[strings.IndexByte(o.Name, '/')+1:]
}

// WorkloadKey returns WorkloadName with the namespace: deployment/shop/web.
func (v *View) WorkloadKey(p *evidence.Pod) string {
	o := v.TopOwner(p)
	if o.Kind == "" {
		return p.Key()
	}
	return strings.ToLower(o.Kind) + "/" + o.Name
}

// SingleReplica returns the Deployment if the pod is its only replica and a second one can run on another node with the same
// data, or nil.
func (v *View) SingleReplica(p *evidence.Pod) *evidence.Workload {
	w := v.TopOwnerOf(p)
	if w == nil || !OnlyReplica(w) || w.Kind != "Deployment" {
		return nil
	}
	if v.NoCopy(p) != "" {
		return nil
	}
	return w
}

// NoCopy returns why no second pod like this one can run on another node with the same data; "" if nothing prevents it.
func (v *View) NoCopy(p *evidence.Pod) string {
	if data := mechanics.HostDirectories(p); len(data) > 0 {
		return "a second pod on another node would not have the data in hostPath " + data[0].Path
	}
	if v.diskTo(p) != "" {
		return "a second pod cannot start, because only one node at a time can have its volume"
	}
	return ""
}

// diskTo returns the claim of the pod whose volume only one node can have at a time; "" if none is known.
func (v *View) diskTo(p *evidence.Pod) string {
	if p.Spec == nil {
		return ""
	}
	for _, x := range p.Spec.Volumes {
		if x.PersistentVolumeClaim == nil {
			continue
		}
		claim := x.PersistentVolumeClaim.ClaimName
		if pv := v.VolumeOf(p.Namespace, claim); pv != nil && mechanics.OneNodeAtATime(pv) {
			return claim
		}
	}
	return ""
}

// OpenNodes counts the schedulable nodes, except the closed ones.
func (v *View) OpenNodes() (n int) {
	for _, node := range v.Data().Nodes {
		if !node.Spec.Unschedulable && node.Ready() != evidence.False && !node.Silent() && !slices.Contains(v.Closed, node.Name) {
			n++
		}
	}
	return n
}

// VolumeOf returns the volume that a claim is bound to, or nil.
func (v *View) VolumeOf(namespace, claim string) *corev1.PersistentVolume {
	return mechanics.VolumeOf(v.Data(), namespace, claim)
}

// Ending returns what blocks a pod that is being deleted.
func (v *View) Ending(p *evidence.Pod) mechanics.Ending {
	return mechanics.EndingIn(v.Snapshot, p, v.Now)
}
