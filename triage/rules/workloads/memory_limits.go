package workloads

import (
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// MemoryLimits checks the memory limit before an OOM-killed container counts as over its limit. Without a limit, the kernel kills
// the container because the node is out of memory, or because of a limit that all pods share.
var MemoryLimits = &triage.Rule{
	ID:    "memory-limits",
	Doc:   "Finds OOM-killed containers of pods without a memory limit.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Pods, evidence.Messages},
	Check: func(p *triage.Pass) {
		for _, m := range p.Snapshot.Matches() {
			pod := unlimited(p, m)
			if pod == nil || !saysLimit(p, m) {
				continue
			}
			p.Found(triage.Claim{
				Says: "memory-pressure-oom", Subject: pod.NodeOrPod(), Certainty: triage.Possible, Since: m.First, Key: pod.Key(),
				Summary:  "a container without a memory limit was OOM-killed: the node, or a limit shared by all pods, was out of memory",
				Evidence: []evidence.Ref{m.Ref, facts.PodRef(pod, ".spec.containers[*].resources.limits", "no memory limit")},
			})
		}
	},
	JudgesInstead: func(p *triage.Pass, m *evidence.Match) bool { return unlimited(p, m) != nil },
}

// saysLimit reports whether a current message says that a container hit its limit.
func saysLimit(p *triage.Pass, m *evidence.Match) bool {
	sig := p.Signatures.Lookup(m.Signature)
	if sig == nil || sig.Says != "container-memory-limit-oom" {
		return false
	}
	return facts.Counts(p, sig, m) && !p.HasEnded(m)
}

// unlimited returns the pod of a message if it has no memory limit; nil: it has one, or this is unknown.
func unlimited(p *triage.Pass, m *evidence.Match) *evidence.Pod {
	if m.Subject.Kind != "Pod" {
		return nil
	}
	pod := p.Snapshot.Pod(m.Subject.Namespace, m.Subject.Name)
	if pod == nil || pod.MemoryLimited() != evidence.False {
		return nil
	}
	return pod
}
