package system

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// DaemonSets finds DaemonSets without ready pods on working nodes. On NotReady nodes the node is the reason; new pods are still
// starting.
var DaemonSets = &triage.Rule{
	ID:    "daemonsets",
	Doc:   "Compares the pods of DaemonSets with the nodes that should run them.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Workloads},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Pods},
	Check: func(p *triage.Pass) {
		missing := unreadyPods(p)
		sets, short, well := 0, 0, 0
		for _, w := range p.Snapshot.Workloads() {
			if w.Kind != "DaemonSet" || w.Replicas < 0 || w.Ready < 0 {
				continue
			}
			sets++
			lack := w.Replicas - w.Ready - deadOf(p, w)
			pods := missing[w.Namespace+"/"+w.Name]
			switch {
			case lack <= 0:
				well++
				continue
			case lack <= pods.young:
				continue
			}
			short++
			c := triage.Claim{
				Says: "daemonset-incomplete", Subject: w.Subject(), Certainty: triage.Possible, Key: w.Namespace + "/" + w.Name,
				Summary:  fmt.Sprintf("DaemonSet %s/%s has %d of %d pods ready", w.Namespace, w.Name, w.Ready, w.Replicas),
				Fill:     map[string]string{"name": w.Name, "namespace": w.Namespace},
				Evidence: []evidence.Ref{workloadRef(w)},
			}
			if len(pods.old) > 0 {
				c.Certainty = triage.Likely
				c.Summary += ": " + wording.Some(pods.old)
			}
			p.Found(c)
		}
		if sets > 0 && short == 0 && well == sets {
			p.RuleOut("daemonset-incomplete", evidence.ClusterSubject(), wording.Count(sets, "DaemonSet")+" checked, ready on all Ready nodes")
		}
	},
}

// deadOf counts the nodes that are NotReady and should run the DaemonSet.
func deadOf(p *triage.Pass, w *evidence.Workload) (dead int) {
	for _, n := range p.Snapshot.Nodes() {
		if !n.NotReady() {
			continue
		}
		here := true
		if w.Template != nil && !n.Partial {
			_, here = mechanics.DaemonRunsOn(w.Template, n) // the taint of a dead node stops new pods only
		}
		if here {
			dead++
		}
	}
	return dead
}

// lacking are the pods of a DaemonSet that are not ready on Ready nodes.
type lacking struct {
	young int
	old   []string // "POD is STATUS on NODE"
}

func unreadyPods(p *triage.Pass) map[string]*lacking {
	out := map[string]*lacking{}
	for _, w := range p.Snapshot.Workloads() {
		if w.Kind == "DaemonSet" {
			out[w.Namespace+"/"+w.Name] = &lacking{}
		}
	}
	for _, pod := range p.Snapshot.Pods() {
		l := out[pod.Namespace+"/"+pod.Owner.Name]
		if l == nil || mechanics.Replaces(pod) != mechanics.OnSameNode || pod.Works() || !pod.Stated() {
			continue
		}
		if n := p.Snapshot.Node(pod.Node); n != nil && n.NotReady() {
			continue
		}
		if at := facts.Changed(pod); facts.Young(p, pod) || !at.IsZero() && !p.Now.IsZero() && p.Now.Sub(at) < facts.YoungPod {
			l.young++
			continue
		}
		l.old = append(l.old, strings.TrimSpace(fmt.Sprintf("%s is %s on %s", pod.Name, pod.Status, facts.OrUnknown(pod.Node))))
	}
	return out
}

func workloadRef(w *evidence.Workload) evidence.Ref {
	if w.Ref.Source != "" {
		return w.Ref
	}
	return evidence.Ref{
		Source: strings.ToLower(w.Kind) + "/" + w.Namespace + "/" + w.Name, Locator: ".status",
		Text: fmt.Sprintf("desired=%d current=%d ready=%d available=%d", w.Replicas, w.Current, w.Ready, w.Available),
	}
}
