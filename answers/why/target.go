package why

import (
	"cmp"
	"encoding/json"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
)

// target is the object whose template has to change. The pod's own spec cannot change, apart from tolerations.
type target struct {
	kind, namespace, name string
	owner                 string // its kind as in the API: Deployment
	path                  string // of the pod spec in the object
	// tolerations are those in the object. Defaults that the API server adds to each pod are not in a template.
	tolerations []corev1.Toleration
	workload    *evidence.Workload // nil: it is not in the evidence
}

func (a *asker) target(p *evidence.Pod) target {
	owner, w := a.templateOwner(p)
	if owner.Kind == "" {
		return target{kind: "pod", namespace: p.Namespace, name: p.Name, path: "/spec", tolerations: p.Spec.Tolerations}
	}
	out := target{
		kind: strings.ToLower(owner.Kind), namespace: p.Namespace, name: owner.Name, owner: owner.Kind, path: "/spec/template/spec",
		tolerations: mechanics.WrittenTolerations(p.Spec.Tolerations), workload: w,
	}
	if w != nil && w.Template != nil {
		out.tolerations = w.Template.Tolerations
	}
	if out.kind == "cronjob" {
		out.path = "/spec/jobTemplate" + out.path
	}
	return out
}

// templateOwner returns the object at the end of the pod's chain of controllers, and its evidence. A Deployment that is not in
// the evidence is known from its ReplicaSet, or from the hash that it adds to the ReplicaSet's name and to the pod.
func (a *asker) templateOwner(p *evidence.Pod) (evidence.Owner, *evidence.Workload) {
	switch w := a.s.TopOwnerOf(p); {
	case w != nil && w.Owner != (evidence.Owner{}):
		return w.Owner, nil
	case w != nil:
		return evidence.Owner{Kind: w.Kind, Name: w.Name}, w
	}
	return mechanics.HashedOwner(p), nil
}

// reaches completes a change of the pod spec: its risk, and how it reaches a pod that its controller does not replace.
func (a *asker) reaches(p *evidence.Pod, t target, c *change) {
	if c.pod == nil || c.reads {
		return
	}
	switch who := t.owner + " " + t.name; {
	case c.direct:
		c.harm = "low, only this pod changes"
	case t.kind == "pod" || t.kind == "job":
		c.harm = "medium, the " + cmp.Or(t.owner, "pod") + " must be deleted and created again"
	case t.kind == "cronjob":
		c.harm = "medium, only the next Job has the change"
	case mechanics.RollsOutUnready(t.owner, t.workload):
		c.harm = "medium, " + who + " replaces its pods"
	default:
		c.harm = "medium, " + who + " changes only new pods"
		if mechanics.RollsOut(t.owner, t.workload) {
			c.harm = "medium, " + who + " replaces its pods, except pods that are not Ready"
		}
		if a.s.Pod(p.Namespace, p.Name) != nil && len(c.commands) > 0 {
			c.harm += ", so the last command deletes this pod"
			c.last = []shell.Text{shell.Format("kubectl -n {namespace} delete pod {pod}", p.Namespace, p.Name)}
		}
	}
}

// fixed reports whether the template cannot change, so that a toleration is added to the pod itself.
func (t target) fixed() bool { return t.kind == "pod" || t.kind == "job" }

func (t target) edit() []shell.Text {
	if t.kind == "pod" {
		return nil // impossible: it has to be recreated
	}
	return []shell.Text{shell.Format("kubectl -n {namespace} edit {kind} {name}", t.namespace, t.kind, t.name)}
}

// withoutSelector removes the keys from the node selector of the object; without keys, all of it.
func (t target) withoutSelector(keys ...string) []shell.Text {
	if t.fixed() {
		return t.edit()
	}
	selector := t.path + "/nodeSelector"
	ops := []map[string]string{}
	for _, k := range keys {
		ops = append(ops, map[string]string{"op": "remove", "path": selector + "/" + pointer.Replace(k)})
	}
	if len(ops) == 0 {
		ops = append(ops, map[string]string{"op": "remove", "path": selector})
	}
	patch, err := json.Marshal(ops)
	if err != nil {
		return t.edit()
	}
	return []shell.Text{shell.Format("kubectl -n {namespace} patch {kind} {name} --type=json -p {patch}", t.namespace, t.kind, t.name, string(patch))}
}

// pointer escapes a key of a JSON pointer (RFC 6901).
var pointer = strings.NewReplacer("~", "~0", "/", "~1")

func (t target) resources(container string, name corev1.ResourceName, value string) []shell.Text {
	if t.fixed() {
		return nil
	}
	return []shell.Text{shell.Format("kubectl -n {namespace} set resources {kind} {name} -c {container} --requests={resource}={quantity}", t.namespace, t.kind, t.name, container, string(name), value)}
}

// toleration adds a toleration to the object. The template of a Job cannot be changed, but its pods accept additional
// tolerations.
func (t target) toleration(p *evidence.Pod, x corev1.Toleration) []shell.Text {
	if t.kind == "job" {
		t = target{kind: "pod", namespace: p.Namespace, name: p.Name, path: "/spec", tolerations: p.Spec.Tolerations}
	}
	path, value := t.path+"/tolerations/-", any(x)
	if len(t.tolerations) == 0 {
		path, value = t.path+"/tolerations", []corev1.Toleration{x}
	}
	patch, err := json.Marshal([]map[string]any{{"op": "add", "path": path, "value": value}})
	if err != nil {
		return t.edit()
	}
	return []shell.Text{shell.Format("kubectl -n {namespace} patch {kind} {name} --type=json -p {patch}", t.namespace, t.kind, t.name, string(patch))}
}
