package nodes

import (
	"slices"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Pod is one pod on a node.
type Pod struct {
	Namespace string     `json:"namespace"`
	Name      string     `json:"name"`
	Owner     string     `json:"owner,omitempty"` // Kind/name of the controller at the top
	Status    string     `json:"status"`          // as kubectl prints it
	Well      bool       `json:"well"`
	Ready     int        `json:"ready"` // containers, of Total
	Total     int        `json:"total"`
	Restarts  int        `json:"restarts"`
	Created   *time.Time `json:"created"`
	Says      string     `json:"says,omitempty"` // why it is unhealthy, from the messages of its status
}

// addPods lists the unhealthy pods, and the pods that the node needs: DaemonSets' pods and system pods. An unhealthy system pod
// is only among the latter.
func (b *builder) addPods(d *Detail, n *evidence.Node) {
	d.Pods, d.System = []Pod{}, []Pod{}
	for _, p := range b.snapshot.PodsOn(n.Name) {
		if ended(p) || !p.Stated() && !p.Deleting() {
			continue
		}
		switch pod := b.pod(p); {
		case mechanics.Replaces(p) == mechanics.OnSameNode || evidence.SystemNamespace(p.Namespace):
			d.System = append(d.System, pod)
		case !pod.Well:
			d.Pods = append(d.Pods, pod)
		}
	}
}

func (b *builder) pod(p *evidence.Pod) Pod {
	out := Pod{
		Namespace: p.Namespace, Name: p.Name, Status: p.Status, Well: p.Works(), Ready: p.ReadyCount, Total: p.Total,
		Restarts: p.Restarts, Created: evidence.Stamp(p.Created),
	}
	if w := b.snapshot.TopOwnerOf(p); w != nil {
		out.Owner = w.Kind + "/" + w.Name
	} else if p.Owner.Kind != "" {
		out.Owner = p.Owner.Kind + "/" + p.Owner.Name
	}
	if !out.Well {
		out.Says = podSays(p)
	}
	return out
}

// podSays returns the most significant message of an unhealthy pod.
func podSays(p *evidence.Pod) string {
	for _, c := range p.Containers {
		if c.State == "waiting" && c.Message != "" {
			return c.Name + ": " + c.Message
		}
	}
	for _, c := range p.Containers {
		if c.LastReason != "" {
			return strings.TrimSpace(c.Name + " exited before: " + c.LastReason + " " + c.LastSaid())
		}
	}
	if p.Message != "" {
		return p.Message
	}
	for _, c := range p.Conditions {
		switch {
		case c.Message == "" || c.Type == string(corev1.PodReady):
			continue
		case evidence.ForeignPodCondition(c.Type):
			return c.Message + " " + evidence.WrittenByApplication
		}
		return c.Message
	}
	return ""
}

// missing returns the DaemonSets that should run on the node and do not: by their template like the DaemonSet controller, or, if that
// is not in the evidence, if nine of ten other nodes of the group run them.
func (b *builder) missing(n *evidence.Node, group Group) []string {
	out := []string{}
	if b.snapshot.Covers(evidence.Pods) != evidence.Complete {
		return out
	}
	here := map[string]bool{}
	for _, name := range b.daemonsOn(n.Name) {
		here[name] = true
	}
	judged := b.wanted(n)
	for name, wanted := range judged {
		if wanted && !here[name] {
			out = append(out, name)
		}
	}
	nodes := map[string]int{}
	for _, other := range group.Nodes {
		for _, name := range b.daemonsOn(other.Name) {
			nodes[name]++
		}
	}
	for name, on := range nodes {
		_, known := judged[name]
		usual := len(group.Nodes) >= 3 && 10*on >= 9*(len(group.Nodes)-1)
		if usual && !here[name] && !known {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

// daemonsOn returns the DaemonSets with a pod on the node.
func (b *builder) daemonsOn(node string) []string {
	var out []string
	for _, p := range b.snapshot.PodsOn(node) {
		if mechanics.Replaces(p) == mechanics.OnSameNode && !ended(p) {
			out = append(out, p.Namespace+"/"+p.Owner.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Event is an event about the node or about a pod on it.
type Event struct {
	Object  string     `json:"object"`
	Type    string     `json:"type"`
	Reason  string     `json:"reason"`
	Message string     `json:"message"`
	Count   int        `json:"count"`
	First   *time.Time `json:"first"`
	Last    *time.Time `json:"last"`
}

// events lists events about the node, and warnings about its pods, newest first.
func (b *builder) events(node string) []Event {
	list := append([]*evidence.Event{}, b.snapshot.EventsOf(evidence.NodeSubject(node))...)
	for _, p := range b.snapshot.PodsOn(node) {
		for _, e := range b.snapshot.EventsOf(p.Subject()) {
			if e.Type == "Warning" {
				list = append(list, e)
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Last.After(list[j].Last) })
	out := []Event{}
	for _, e := range list[:min(len(list), maxEvents)] {
		out = append(out, Event{
			Object: e.Object.String(), Type: e.Type, Reason: e.Reason, Message: e.Message, Count: e.Count,
			First: evidence.Stamp(e.First), Last: evidence.Stamp(e.Last),
		})
	}
	return out
}

// wanted returns for each DaemonSet with a template whether its controller wants a pod on the node.
func (b *builder) wanted(n *evidence.Node) map[string]bool {
	out := map[string]bool{}
	for _, w := range b.snapshot.Data().Workloads {
		if mechanics.OfKind(w.Kind) != mechanics.OnSameNode || w.Template == nil || n.Partial {
			continue
		}
		out[w.Namespace+"/"+w.Name], _ = mechanics.DaemonRunsOn(w.Template, n)
	}
	return out
}
