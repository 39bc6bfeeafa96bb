package nodes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// contradicted are conditions of node monitors that cannot hold on a node that has been Ready for long, or that monitors set once
// and never reset. Hardware problems and announced events are not included: they are true although the node works.
var contradicted = map[string]bool{
	"KernelDeadlock": true, "ReadonlyFilesystem": true, "CorruptDockerOverlay2": true, "FrequentUnregisterNetDevice": true,
	"FrequentKubeletRestart": true, "FrequentDockerRestart": true, "FrequentContainerdRestart": true,
	"KubeletProblem": true, "KubeletUnhealthy": true, "ContainerRuntimeProblem": true, "ContainerRuntimeUnhealthy": true,
	"ContainerRuntimeReady": true, "StorageReady": true, "NetworkingReady": true, "KernelReady": true,
}

// longAlarm is how long monitor and kubelet must contradict each other.
const longAlarm = time.Hour

// MonitorAlarms finds conditions of node monitors that no other evidence on the node supports.
var MonitorAlarms = &triage.Rule{
	ID:    "monitor-alarms",
	Doc:   "Compares long-standing problems of node monitors with the node's Ready condition.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Nodes},
	Reads: []evidence.Kind{evidence.Messages},
	Check: func(p *triage.Pass) {
		witnesses := map[string]bool{} // nodes with a log or event about a problem; "" if it names no node
		for _, m := range p.Snapshot.Matches() {
			if m.Kind != evidence.TextCondition && m.Kind != evidence.TextStatus && !ofCondition(p.Snapshot, m) && !p.HasEnded(m) {
				witnesses[p.Snapshot.NodeOf(m.Subject)] = true
			}
		}
		for _, n := range p.Snapshot.Described() {
			for i := range n.Node.Status.Conditions {
				c := &n.Node.Status.Conditions[i]
				if evidence.Unexplained(c) {
					p.Found(triage.Claim{Says: "monitor-condition-unknown", Subject: n.Subject(), Evidence: []evidence.Ref{facts.ConditionRef(n, c)}, Since: c.LastTransitionTime.UTC(), Key: string(c.Type)})
				}
				if evidence.Bad(c) == evidence.True && c.Type != corev1.NodeReady && c.Type != corev1.NodeNetworkUnavailable && !strings.HasSuffix(string(c.Type), "Pressure") {
					p.Found(triage.Claim{Says: "monitor-reports-problem", Subject: n.Subject(), Evidence: []evidence.Ref{facts.ConditionRef(n, c)}, Since: c.LastTransitionTime.UTC(), Key: string(c.Type)})
				}
				if !contradicted[string(c.Type)] || evidence.Bad(c) != evidence.True || n.Ready() != evidence.True {
					continue
				}
				age, known := p.Age(c.LastTransitionTime.UTC())
				test, written := writtenByHand(p, n, c)
				switch {
				case written:
					p.Found(triage.Claim{
						Says: "monitor-false-alarm", Subject: n.Subject(), Certainty: triage.Likely, Key: string(c.Type),
						Evidence: []evidence.Ref{test, facts.ConditionRef(n, c)},
						Summary:  fmt.Sprintf("a person wrote the message to the kernel log, so that %s became %s", c.Type, c.Status),
					})
				case c.LastTransitionTime.IsZero() || !known:
					p.Unknown(fmt.Sprintf("since when %s of %s has been %s", c.Type, n.Name, c.Status), "it is not in the evidence", shell.Format("kubectl get node {node} -o yaml", n.Name))
				case witnesses[n.Name] || witnesses[""]:
					p.RuleOut("monitor-false-alarm", n.Subject(), fmt.Sprintf("other evidence of the node supports %s=%s", c.Type, c.Status))
				case age < longAlarm || readyFor(p, n) < longAlarm:
					p.Unknown(fmt.Sprintf("whether %s=%s of %s is a false alarm", c.Type, c.Status, n.Name), "the node has not been Ready with this condition for "+wording.Duration(longAlarm), shell.Format("kubectl get node {node} -o yaml, an hour later", n.Name))
				default:
					p.Found(triage.Claim{
						Says: "monitor-false-alarm", Subject: n.Subject(), Certainty: triage.Possible, Key: string(c.Type), Since: c.LastTransitionTime.UTC(),
						Evidence: []evidence.Ref{facts.ConditionRef(n, c), facts.ConditionRef(n, n.Condition("Ready"))},
						Summary:  fmt.Sprintf("%s has been %s for %s, but the node was Ready and nothing else supports it", c.Type, c.Status, wording.Duration(age)),
					})
				}
			}
		}
	},
}

// writtenByHand returns the line in which a person writes the message of a condition to the kernel log, in the text that has the
// condition. Another text can be a stranger's.
func writtenByHand(p *triage.Pass, n *evidence.Node, c *corev1.NodeCondition) (evidence.Ref, bool) {
	if n.Ref.Source == "" {
		return evidence.Ref{}, false
	}
	for _, t := range p.Signatures.Match(fmt.Sprintf("%s %s %s %s", c.Type, c.Status, c.Reason, c.Message), evidence.TextCondition) {
		if ref, written := facts.WrittenByHand(p, n.Ref.Source, t.Signature.Says); written {
			return ref, true
		}
	}
	return evidence.Ref{}, false
}

// ofCondition reports whether a line is the table row of a condition: the alarm does not support itself.
func ofCondition(s *evidence.Snapshot, m *evidence.Match) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(m.Ref.Text), " ")
	return slices.ContainsFunc(s.Nodes(), func(n *evidence.Node) bool { return n.Condition(corev1.NodeConditionType(first)) != nil })
}
