package nodes

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/wording"
)

// Resident is a pod on a node, with what decides its fate when the node goes away.
type Resident struct {
	Pod
	Priority *int32 `json:"priority"` // null: unknown
	// NotReady and Unreachable are how long it tolerates a node with that taint: 5m0s, forever, not at all; empty: unknown.
	NotReady    string   `json:"notReady,omitempty"`
	Unreachable string   `json:"unreachable,omitempty"`
	CPU         string   `json:"cpu,omitempty"` // requested
	Memory      string   `json:"memory,omitempty"`
	UsedCPU     string   `json:"usedCPU,omitempty"` // now; empty: not known
	UsedMemory  string   `json:"usedMemory,omitempty"`
	UsedFrom    string   `json:"usedFrom,omitempty"` // metrics API, or kubelet (its summary)
	Volumes     []string `json:"volumes"`            // claims, and volumes whose data stays on the node: claim/data, hostPath/var/lib/x, emptyDir/cache
}

// residents returns all pods on the node that have not terminated.
func (b *builder) residents(node string) []Resident {
	out := []Resident{}
	for _, p := range b.snapshot.PodsOn(node) {
		if ended(p) || !p.Stated() && !p.Deleting() {
			continue
		}
		r := Resident{Pod: b.pod(p), Volumes: volumes(p)}
		if u := b.snapshot.PodUsage(p.Namespace, p.Name); u != nil {
			r.UsedCPU, r.UsedMemory, r.UsedFrom = CPU(u.CPU), Bytes(u.Memory), fromMetrics
			if u.From != "" {
				r.UsedFrom = u.From
			}
		}
		if p.Spec != nil {
			r.Priority = p.Spec.Priority
			r.CPU, r.Memory = CPU(b.booked(p.Spec).cpu), Bytes(b.booked(p.Spec).memory)
		}
		if p.Spec != nil || p.Mirror || p.Owner.Kind != "" {
			tolerations := mechanics.TolerationsOf(p)
			r.NotReady = stays(tolerations, corev1.TaintNodeNotReady)
			r.Unreachable = stays(tolerations, corev1.TaintNodeUnreachable)
		}
		out = append(out, r)
	}
	return out
}

// stays returns how long a pod tolerates a taint of a dead node.
func stays(tolerations []corev1.Toleration, key string) string {
	switch s := mechanics.StayUnder(tolerations, []corev1.Taint{{Key: key, Effect: corev1.TaintEffectNoExecute}}); {
	case s.Now:
		return "not at all"
	case s.Forever:
		return "forever"
	default:
		return wording.Duration(s.For)
	}
}

func volumes(p *evidence.Pod) []string {
	out := []string{}
	if p.Spec == nil {
		return out
	}
	for _, v := range p.Spec.Volumes {
		claim := mechanics.ClaimOf(p, &v)
		switch {
		case claim != "":
			out = append(out, "claim/"+claim)
		case v.HostPath != nil:
			out = append(out, "hostPath"+fmt.Sprintf("/%s", strings.TrimPrefix(v.HostPath.Path, "/")))
		case v.EmptyDir != nil:
			out = append(out, "emptyDir/"+v.Name)
		}
	}
	return out
}
