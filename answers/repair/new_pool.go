package repair

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// newPool describes the pool that is added: its name, size, source, and own labels and taints.
func (r *repairer) newPool() string {
	own := r.opt.Own
	text := "pool " + r.opt.Subject.Name + " with " + wording.Count(r.st.Change.Count, "node") + " is created"
	if r.opt.Like != "" {
		text += " with the settings of pool " + r.opt.Like
	}
	if size := cmp.Or(own.Size, r.sizeOf(r.opt.Like)); size != "" {
		text += ", size " + size
	}
	if own.Labels != "" {
		text += ", label " + own.Labels
	}
	if own.Taints != "" {
		text += ", taint " + own.Taints
	}
	return text + "; its VMs are billed"
}

// sizeOf returns the VM size of a pool; "" if it is not in the evidence.
func (r *target) sizeOf(pool string) string {
	if p := r.cloudPool(pool); p != nil && p.Size != "" {
		return p.Size
	}
	for _, n := range r.ofPool(pool) {
		if size := n.Labels["node.kubernetes.io/instance-type"]; size != "" {
			return size
		}
	}
	return ""
}

// apply returns the command that carries out this plan.
func (r *repairer) apply() shell.Text {
	out := shell.Format("nodetriage repair {action} {target}", string(r.opt.Action), cmp.Or(r.opt.Subject.Name, "cluster"))
	add := func(flag shell.Text, value string) {
		if value != "" {
			out += shell.Format(" "+flag+" {value}", value)
		}
	}
	add("--like", r.opt.Like)
	if r.st.Change.Count > 0 {
		add("--count", strconv.Itoa(r.st.Change.Count))
	}
	add("--size", r.opt.Own.Size)
	add("--label", r.opt.Own.Labels)
	add("--taint", r.opt.Own.Taints)
	var accept []string
	for _, g := range r.opt.Accept {
		accept = append(accept, string(g))
	}
	add("--accept", strings.Join(accept, ","))
	return out + " --apply"
}
