package kubelet

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// relistLimit is the age of the last relist at which the kubelet calls its PLEG unhealthy (kubernetes
// pkg/kubelet/kubelet.go genericPlegRelistThreshold).
const relistLimit = 3 * time.Minute

// lateRelist is an age of the last relist that no healthy runtime comes near, though the kubelet does not complain yet.
const lateRelist = 45 * time.Second

// slowRelist is the mean duration of a relist that no healthy runtime comes near; relists are due every second.
const slowRelist = 10 * time.Second

// Relist reads how the kubelet's relisting of containers goes: it hangs when the runtime does.
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
				subject = evidence.Subject{} // figures that somebody pasted without saying whose they are
			}
			mean, relists := facts.MeanOf(k, "kubelet_pleg_relist_duration_seconds", "")
			if k.TakenAt.IsZero() && slowRelists(p, k, subject, mean, relists) {
				continue
			}
			seen, known := facts.Metric(k, "kubelet_pleg_last_seen_seconds")
			if k.TakenAt.IsZero() && relists >= 10 {
				p.Unknown("whether the kubelet"+ofNode(k)+" hears from its runtime now", wellRelists(mean, relists, seen), "beside the figures: date -u +%s; with a cluster: nodetriage diagnose NODE")
				continue
			}
			if !known || seen <= 0 || k.TakenAt.IsZero() {
				if n != nil && n.NotReady() {
					p.Unknown("whether the kubelet of "+k.Node+" hears from its runtime", "its PLEG metrics were not read",
						shell.Format("kubectl get --raw /api/v1/nodes/{node}/proxy/metrics | grep pleg", k.Node))
				}
				continue
			}
			if before, dated := p.Age(k.TakenAt); dated && before < -time.Minute { // by the clock of a node
				p.Unknown("whether the kubelet of "+k.Node+" hears from its runtime", "its metrics are dated after the rest of the evidence",
					shell.Format("kubectl get --raw /api/v1/nodes/{node}/proxy/metrics | grep pleg", k.Node))
				continue
			}
			last := time.Unix(int64(seen), 0).UTC()
			age := k.TakenAt.Sub(last)
			switch {
			case age > relistLimit && age < 365*24*time.Hour:
				ref := facts.MetricRef(k, "kubelet_pleg_last_seen_seconds")
				p.Found(triage.Claim{Says: "pleg-unhealthy", Subject: subject, Since: last, Evidence: []evidence.Ref{ref}})
				if facts.NobodyServes(p, subject) {
					p.RuleOut("runtime-hung", subject, "nobody serves the runtime's socket: calls fail at once, and none waits")
					continue
				}
				p.Found(triage.Claim{Says: "runtime-hung", Subject: subject, Certainty: triage.Likely, Since: last, Evidence: []evidence.Ref{ref},
					Summary: fmt.Sprintf("the kubelet has not got a list of containers for %s: the runtime hangs", wording.Duration(age)),
				})
			case slowRelists(p, k, subject, mean, relists):
			case late(p, k, last) && !facts.NobodyServes(p, subject):
				p.Found(triage.Claim{
					Says: "runtime-hung", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Since: last, Evidence: []evidence.Ref{facts.MetricRef(k, "kubelet_pleg_last_seen_seconds")},
					Summary: fmt.Sprintf("the kubelet asks for the list of containers each second, and has not got one for %s", wording.Duration(age)),
				})
			case n != nil && n.NotReady():
				p.RuleOut("runtime-hung", subject, fmt.Sprintf("the kubelet listed the containers %s ago", wording.Duration(max(age, 0))))
			}
		}
	},
}

// late reports whether a kubelet that lists each second (one that gets events from its runtime lists seldom) got no list for long
// before it renewed its lease last: both times are of the node's clock.
func late(p *triage.Pass, k *evidence.Kubelet, last time.Time) bool {
	between, n := facts.MeanOf(k, "kubelet_pleg_relist_interval_seconds", "")
	eachSecond := n == 0 || between < 20*time.Second
	l := p.Snapshot.NodeLease(k.Node)
	if l == nil || !eachSecond {
		return false
	}
	since := l.Renewed.Sub(last)
	return since > lateRelist && since <= relistLimit
}
