package paste

import (
	"cmp"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// build turns the collected object into evidence, and clears it.
func (d *description) build() {
	if len(d.sections) == 0 {
		return
	}
	about, node := evidence.Subject{}, ""
	switch kind := d.kind(); kind {
	case "Node":
		about = d.buildNode()
	case "Pod":
		if d.name(kind) == "" && d.isTemplate() {
			break
		}
		about, node = d.buildPod()
	case "PersistentVolumeClaim":
		about = d.buildClaim()
	case "PersistentVolume":
		about = d.buildVolume()
	case "PodDisruptionBudget":
		about = d.buildPDB()
	default:
		if name := d.name(kind); name != "" && kind != "" {
			about = evidence.Subject{Kind: kind, Namespace: d.namespace(), Name: name}
		}
	}
	d.buildEvents(about, node)
	d.p.text.kept += d.size
	d.sections, d.last, d.size = nil, nil, 0
}

// isTemplate reports whether only the template of a pod was seen, which has no state.
func (d *description) isTemplate() bool {
	if d.has("Status", "Conditions", "Node", "Node-Selectors", "Tolerations", "Start Time", "IP", "QoS Class") {
		return false
	}
	_, statuses := containers(d.find("Containers"))
	return len(statuses) == 0
}

// kind returns the kind of the described object: by the keys, else by the command.
func (d *description) kind() string {
	if d.has("API Version") {
		return d.value("Kind")
	}
	for _, k := range kindKeys {
		if d.has(k.keys...) && (k.and == nil || d.has(k.and...)) {
			return cmp.Or(k.kind, d.ask.kind())
		}
	}
	conditions := d.find("Conditions")
	switch {
	case conditions != nil && conditions.hasNodeConditions():
		return "Node"
	case conditions != nil && d.ask.kind() == "":
		return d.kindByConditions(conditions)
	}
	if kind := d.ask.kind(); d.name(kind) != "" || !d.has("Events") || len(d.sections) > 1 {
		return kind
	}
	return "" // only events, of any kind of object
}

// podKeys are keys of pods. Controllers have some of them, for their pods.
var podKeys = []string{"Containers", "Init Containers", "Node-Selectors", "Tolerations", "QoS Class", "Start Time", "Controlled By", "Node"}

// kindKeys are the keys by which a kind is recognized, in order: one of keys, and one of and.
var kindKeys = []struct {
	keys, and []string
	kind      string // empty: that of the command
}{
	{keys: []string{"Desired Number of Nodes Scheduled"}, kind: "DaemonSet"},
	{keys: []string{"StrategyType"}, kind: "Deployment"},
	{keys: []string{"Update Strategy"}, kind: "StatefulSet"},
	{keys: []string{"Parallelism"}, kind: "Job"},
	{keys: []string{"Pod Template"}},
	{keys: []string{"Claim", "Reclaim Policy"}, kind: "PersistentVolume"},
	{keys: podKeys, and: []string{"Replicas", "Pods Status", "Selector", "Node-Selector", "Image(s)"}}, // a controller
	{keys: podKeys, kind: "Pod"},
	{keys: []string{"Min available", "Max unavailable"}, kind: "PodDisruptionBudget"},
	{keys: []string{"StorageClass"}, and: []string{"Access Modes", "Volume", "Used By", "Mounted By"}, kind: "PersistentVolumeClaim"},
	{kind: "Node", keys: []string{
		"Roles", "Role", "Taints", "Unschedulable", "System Info", "Non-terminated Pods", "Allocated resources",
		"Allocatable", "Lease", "Addresses", "PodCIDR", "ProviderID", "ExternalID", "Kubelet Version", "Kernel Version",
		"OS Image", "Container Runtime Version",
	}},
}

// kindByConditions recognizes the conditions of a pod by their names.
func (d *description) kindByConditions(s *section) string {
	for _, l := range s.lines {
		switch word, _ := nextWord(l.text); word {
		case "PodScheduled", "ContainersReady", "Initialized", "PodReadyToStartContainers":
			return "Pod"
		}
	}
	return ""
}

// name returns the name in the description, else the only object of the command.
func (d *description) name(kind string) string {
	if n := d.value("Name"); n != "" && isName(n) {
		return n
	}
	return d.ask.one(kind)
}

func (d *description) namespace() string {
	if n := d.value("Namespace"); n != "" {
		return n
	}
	return d.ask.namespace
}

func (d *description) ref() evidence.Ref { return d.p.ref(d.sections[0].at) }

// pairs parses "key=value" lines of labels, and "key: value" of annotations.
func pairs(s *section) map[string]string {
	if s == nil {
		return nil
	}
	out := map[string]string{}
	for _, text := range s.all() {
		k, v, ok := strings.Cut(text, "=")
		if k2, v2, ok2 := strings.Cut(text, ": "); ok2 && (!ok || len(k2) < len(k)) {
			k, v, ok = k2, v2, true
		}
		if ok && k != "" && !strings.ContainsAny(k, " \t") && len(out) < 500 {
			out[k] = wording.Cut(v, 512)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
