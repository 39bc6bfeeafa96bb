package kubelet

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// lateRelist is an age of the last relist far above that of a healthy runtime, although the kubelet does not report it yet.
const lateRelist = 45 * time.Second

// wrongClock is an age that only wrong clocks give.
const wrongClock = 365 * 24 * time.Hour

// Relist reads whether the kubelet's relist of containers hangs: it does if the runtime hangs.
var Relist = &triage.Rule{
	ID:    "kubelet-relist",
	Doc:   "Reads the age and duration of the kubelet's relists (PLEG) from its metrics.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.Kubelets},
	Reads: []evidence.Kind{evidence.Nodes, evidence.Leases, evidence.Messages},
	Check: func(p *triage.Pass) {
		for _, k := range p.Snapshot.Kubelets() {
			n := p.Snapshot.Node(k.Node)
			subject := evidence.NodeSubject(k.Node)
			if k.Node == "" {
				subject = evidence.Subject{} // pasted metrics without the name of the node
			}
			mean, relists := facts.MeanRelist(k)
			if k.TakenAt.IsZero() && claimSlowRelists(p, k, subject, mean, relists) {
				continue
			}
			seen, known := facts.Metric(k, "kubelet_pleg_last_seen_seconds")
			if k.TakenAt.IsZero() && relists >= facts.FewRelists {
				p.Unknown("whether the kubelet"+ofNode(k)+" gets answers from its runtime now", wellRelists(mean, relists, seen), "run date -u +%s when you save the metrics; with a cluster: nodetriage diagnose NODE")
				continue
			}
			if !known || seen <= 0 || k.TakenAt.IsZero() {
				if n != nil && n.NotReady() {
					p.Unknown("whether the kubelet of "+k.Node+" gets answers from its runtime", "its PLEG metrics were not read",
						shell.Format("kubectl get --raw /api/v1/nodes/{node}/proxy/metrics | grep pleg", k.Node))
				}
				continue
			}
			if before, dated := p.Age(k.TakenAt); dated && before < -time.Minute { // dated by the clock of a node
				p.Unknown("whether the kubelet of "+k.Node+" gets answers from its runtime", "its metrics are newer than the rest of the evidence",
					shell.Format("kubectl get --raw /api/v1/nodes/{node}/proxy/metrics | grep pleg", k.Node))
				continue
			}
			last := time.Unix(int64(seen), 0).UTC()
			age := k.TakenAt.Sub(last)
			switch {
			case age > mechanics.RelistLimit && age < wrongClock:
				ref := facts.MetricRef(k, "kubelet_pleg_last_seen_seconds")
				p.Found(triage.Claim{Says: "pleg-unhealthy", Subject: subject, Since: last, Evidence: []evidence.Ref{ref}})
				if facts.NobodyServes(p, subject) {
					p.RuleOut("runtime-hung", subject, "nothing serves the runtime's socket: calls fail immediately")
					continue
				}
				p.Found(triage.Claim{Says: "runtime-hung", Subject: subject, Certainty: triage.Likely, Since: last, Evidence: []evidence.Ref{ref},
					Summary: fmt.Sprintf("the kubelet's last successful relist (PLEG) was %s ago: the runtime hangs", wording.Duration(age)),
				})
			case claimSlowRelists(p, k, subject, mean, relists): // the claim is made
			case late(p, k, last) && !facts.NobodyServes(p, subject):
				p.Found(triage.Claim{
					Says: "runtime-hung", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Since: last, Evidence: []evidence.Ref{facts.MetricRef(k, "kubelet_pleg_last_seen_seconds")},
					Summary: fmt.Sprintf("the kubelet's last relist (PLEG) was %s ago; it should relist every second", wording.Duration(age)),
				})
			case n != nil && n.NotReady():
				p.RuleOut("runtime-hung", subject, fmt.Sprintf("the kubelet's last relist (PLEG) was %s ago", wording.Duration(max(age, 0))))
			}
		}
	},
}

// late reports whether a kubelet that relists every second had no relist for long before its last lease renewal. A kubelet that
// gets events from its runtime relists rarely. Both times are from the node's clock.
func late(p *triage.Pass, k *evidence.Kubelet, last time.Time) bool {
	between, n := facts.MeanOf(k, "kubelet_pleg_relist_interval_seconds", "")
	eachSecond := n == 0 || between < 20*time.Second
	l := p.Snapshot.NodeLease(k.Node)
	if l == nil || !eachSecond {
		return false
	}
	since := l.Renewed.Sub(last)
	return since > lateRelist && since <= mechanics.RelistLimit
}
