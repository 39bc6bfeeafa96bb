package collect

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/wording"
)

// scanObjects searches events, conditions, container messages and kubelet refusals for signatures. Event rows in texts are not
// counted again.
func (b *Builder) scanObjects() {
	d := &b.data
	nameNode(d)
	o := objectScan{scanner: newScanner(b.signatures), data: d, pods: podsByName(d), specs: specTexts{}, unseen: map[string][]*evidence.Match{}}
	o.events()
	for _, n := range d.Nodes {
		o.node(n)
	}
	for _, p := range d.Pods {
		o.pod(p)
	}
	for _, k := range d.Kubelets {
		o.kubelet(k)
	}
	if o.together {
		b.addGap(evidence.Gap{
			What: "messages about pods", Why: fmt.Sprintf("more than %d of one kind are about pods that were not read; the rest is counted together", maxUnseen),
			How: "kubectl get pods -A -o yaml",
		})
	}
}

// objectScan searches the objects of the evidence.
type objectScan struct {
	scanner
	data  *evidence.Data
	pods  podFinder
	specs specTexts
	// unseen maps signatures to the messages about pods that are not in the evidence.
	unseen   map[string][]*evidence.Match
	together bool // more pods than can be distinguished
}

// podFinder returns the pod of a subject, or nil.
type podFinder func(evidence.Subject) *evidence.Pod

// podsByName returns a podFinder. It is prepared at its first use: most evidence does not need all of them, and a cluster has many pods.
func podsByName(d *evidence.Data) podFinder {
	all := sync.OnceValue(func() map[evidence.Subject]*evidence.Pod {
		out := make(map[evidence.Subject]*evidence.Pod, len(d.Pods))
		for _, p := range d.Pods {
			out[p.Subject()] = p
		}
		return out
	})
	return func(s evidence.Subject) *evidence.Pod { return all()[s] }
}

// maxUnseen bounds the messages of one signature about pods that are not in the evidence. Any of these pods may run on any node,
// so each message is compared with all others.
const maxUnseen = 1000

func (o *objectScan) add(m *evidence.Match) {
	if m.Subject.Kind == "Pod" && o.pods(m.Subject) == nil {
		list := o.unseen[m.Signature]
		if len(list) > maxUnseen {
			list[maxUnseen].Join(m)
			return
		}
		if len(list) == maxUnseen {
			m.Subject, o.together = evidence.Subject{}, true
		}
		o.unseen[m.Signature] = append(list, m)
	}
	o.data.Matches = append(o.data.Matches, m)
}

func (o *objectScan) events() {
	d := o.data
	lines := rows{}
	for _, e := range d.Events {
		if printed(e) || len(e.Also) > 0 {
			lines.saw(e, o.event(e))
		}
	}
	d.Matches = lines.dropLines(d.Matches)
	for _, e := range d.Events {
		for _, m := range o.event(e) {
			m.Ref = refOf(e)
			m.Event, m.Count, m.First, m.Last = e, max(e.Count, 1), e.First, e.Last
			o.add(m)
		}
	}
}

// event scans an event. Outside system namespaces, anyone who may create events can write its text, so the text is not used in
// commands.
func (o *objectScan) event(e *evidence.Event) []*evidence.Match {
	about := concerned(e)
	m := message{
		text: strings.TrimSpace(e.Type + " " + e.Reason + " " + e.Object.Kind + "/" + e.Object.Name + " " + e.Message),
		kind: evidence.TextEvent, about: about, speaker: reporter(e), channel: eventChannel(e, o.pods(e.Object)),
	}
	if p := o.pods(e.Object); p != nil {
		m.spec = o.specs.of(p.Spec)
	}
	found := slices.DeleteFunc(o.scan(m), func(x *evidence.Match) bool { return byTenantsName(o.set.Lookup(x.Signature), e, m.text) })
	if m.channel == evidence.ObjectEvent && !evidence.ComponentNamespace(e.Object.Namespace) {
		for _, x := range found {
			x.Foreign = changed(x.Captures, nil)
		}
	}
	return found
}

func (o *objectScan) node(n *evidence.Node) {
	for _, c := range n.Node.Status.Conditions {
		silent := c.Type == corev1.NodeReady && c.Status == corev1.ConditionUnknown
		if !silent && evidence.Bad(&c) != evidence.True {
			continue // healthy, or a vendor condition with unknown meaning
		}
		text := fmt.Sprintf("%s %s %s %s", c.Type, c.Status, c.Reason, c.Message)
		speaker, channel := conditionSpeaker(&c)
		for _, m := range o.scan(message{text: text, kind: evidence.TextCondition, about: n.Subject(), speaker: speaker, channel: channel}) {
			m.Ref = evidence.Ref{
				Source: n.Source(), Locator: fmt.Sprintf(".status.conditions[%s]", c.Type),
				Text: wording.Cut(text, maxEvidence), ObservedAt: c.LastHeartbeatTime.UTC(),
			}
			m.First = c.LastTransitionTime.UTC()
			o.add(m)
		}
	}
}

// kubelet scans the refusals of a kubelet, which are log messages.
func (o *objectScan) kubelet(k *evidence.Kubelet) {
	for _, r := range k.Refusals {
		for _, m := range o.scan(message{text: r.Text, kind: evidence.TextLog, about: evidence.NodeSubject(k.Node), speaker: logline.Kubelet, channel: evidence.KubeletAnswer}) {
			m.Ref = evidence.Ref{
				Source: "kubelet of node/" + k.Node, Locator: fmt.Sprintf("%s HTTP %d", r.Path, r.Status),
				Text: wording.Cut(r.Text, maxEvidence), ObservedAt: k.TakenAt,
			}
			o.add(m)
		}
	}
}

func (o *objectScan) pod(p *evidence.Pod) {
	add := func(locator string, speaker logline.Speaker, channel evidence.Channel, words ...string) {
		text := strings.Join(words, " ")
		if strings.TrimSpace(text) == "" {
			return
		}
		for _, m := range o.scan(message{text: text, kind: evidence.TextStatus, about: p.Subject(), speaker: speaker, channel: channel, spec: o.specs.of(p.Spec)}) {
			m.Ref = evidence.Ref{Source: "pod/" + p.Key(), Locator: locator, Text: wording.Cut(text, maxEvidence)}
			o.add(m)
		}
	}
	add(".status", logline.Kubelet, evidence.PodFields, p.Reason, p.Message)
	for _, c := range p.Conditions {
		if c.Message != "" {
			speaker, channel := podConditionSpeaker(c.Type)
			add(fmt.Sprintf(".status.conditions[%s]", c.Type), speaker, channel, c.Type, c.Reason, c.Message)
		}
	}
	for _, c := range p.Containers {
		own := func(locator, reason, text string) {
			if !c.Wrote(reason) {
				add(locator, logline.Kubelet, evidence.PodFields, reason, text)
				return
			}
			add(locator, logline.Kubelet, evidence.PodFields, reason)
			add(locator, logline.Application, evidence.TerminationMessage, text)
		}
		if c.State == "terminated" {
			own("container "+c.Name+" "+c.State, c.Reason, c.Message)
		} else {
			add("container "+c.Name+" "+c.State, logline.Kubelet, evidence.PodFields, c.Reason, c.Message)
		}
		own("container "+c.Name+" last state", c.LastReason, c.LastMessage)
	}
}

// refOf quotes an event: by its line, if it comes from a text and the line is complete.
func refOf(e *evidence.Event) evidence.Ref {
	if printed(e) && len(e.Ref.Text) < maxEvidence {
		return evidence.Ref{Source: e.Ref.Source, Locator: e.Ref.Locator, Text: e.Ref.Text, ObservedAt: e.Last}
	}
	return evidence.Ref{Source: e.Place(), Locator: e.Reason, Text: wording.Cut(e.Message, maxEvidence), ObservedAt: e.Last}
}
