package kubelet

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// relistLimit is the age of the last relist at which the kubelet calls its PLEG unhealthy (kubernetes
// pkg/kubelet/kubelet.go genericPlegRelistThreshold).
const relistLimit = 3 * time.Minute

// slowRelist is the mean duration of a relist that no healthy runtime comes near; relists are due every second.
const slowRelist = 10 * time.Second

// Relist reads how the kubelet's relisting of containers goes: it hangs when the runtime does.
var Relist = &triage.Rule{
	ID:    "kubelet-relist",
	Doc:   "Reads the age and duration of the kubelet's relists (PLEG) from its metrics.",
	Needs: []evidence.Kind{evidence.Kubelets},
	Reads: []evidence.Kind{evidence.Nodes},
	Check: func(p *triage.Pass) {
		for _, k := range p.Snapshot.Kubelets() {
			n := p.Snapshot.Node(k.Node)
			subject := evidence.NodeSubject(k.Node)
			seen, known := metric(k, "kubelet_pleg_last_seen_seconds")
			if !known || seen <= 0 || k.TakenAt.IsZero() {
				if n != nil && n.NotReady() {
					p.Unknown("whether the kubelet of "+k.Node+" hears from its runtime", "its PLEG metrics were not read",
						"kubectl get --raw /api/v1/nodes/"+k.Node+"/proxy/metrics | grep pleg")
				}
				continue
			}
			if before, dated := p.Age(k.TakenAt); dated && before < -time.Minute { // by the clock of a node
				p.Unknown("whether the kubelet of "+k.Node+" hears from its runtime", "its metrics are dated after the rest of the evidence",
					"kubectl get --raw /api/v1/nodes/"+k.Node+"/proxy/metrics | grep pleg")
				continue
			}
			last := time.Unix(int64(seen), 0).UTC()
			age := k.TakenAt.Sub(last)
			mean, relists := meanOf(k, "kubelet_pleg_relist_duration_seconds", "")
			switch {
			case age > relistLimit && age < 365*24*time.Hour:
				ref := metricRef(k, "kubelet_pleg_last_seen_seconds")
				p.Found(triage.Claim{Says: "pleg-unhealthy", Subject: subject, Since: last, Evidence: []evidence.Ref{ref}})
				p.Found(triage.Claim{
					Says: "runtime-hung", Subject: subject, Confidence: triage.Likely, Since: last, Evidence: []evidence.Ref{ref},
					Summary: fmt.Sprintf("the kubelet has not got a list of containers for %s: the runtime hangs", wording.Duration(age)),
				})
			case relists >= 10 && mean > slowRelist:
				p.Found(triage.Claim{
					Says: "runtime-hung", Subject: subject, Confidence: triage.Possible,
					Evidence: []evidence.Ref{metricRef(k, "kubelet_pleg_relist_duration_seconds_sum"), metricRef(k, "kubelet_pleg_relist_duration_seconds_count")},
					Summary:  fmt.Sprintf("listing the containers takes %s on average", wording.Duration(mean)),
				})
			case n != nil && n.NotReady():
				p.RuleOut("runtime-hung", subject, fmt.Sprintf("the kubelet listed the containers %s ago", wording.Duration(max(age, 0))))
			}
		}
	},
}

// meanOf returns the mean of a duration histogram since the kubelet's start, and how many it counts.
func meanOf(k *evidence.Kubelet, name, labels string) (time.Duration, float64) {
	sum, ok := metric(k, name+"_sum"+labels)
	n, ok2 := metric(k, name+"_count"+labels)
	if !ok || !ok2 || n == 0 {
		return 0, 0
	}
	return time.Duration(sum / n * float64(time.Second)), n
}
