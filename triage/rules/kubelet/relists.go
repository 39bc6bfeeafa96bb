package kubelet

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// manyDiscards is more lost events than a short burst of changes causes: the queue holds a thousand.
const manyDiscards = 100

// claimSlowRelists claims what the totals since the kubelet's start show, and reports whether they show anything: slow relists, or pod
// events that were lost because nothing read them in time. The totals do not show when that was.
func claimSlowRelists(p *triage.Pass, k *evidence.Kubelet, subject evidence.Subject, mean time.Duration, relists float64) bool {
	lost, _ := facts.Metric(k, "kubelet_pleg_discard_events")
	c := triage.Claim{Says: "runtime-hung", Subject: subject, Certainty: triage.Possible}
	switch {
	case relists >= facts.FewRelists && mean > facts.SlowRelist:
		c.Evidence = []evidence.Ref{facts.MetricRef(k, "kubelet_pleg_relist_duration_seconds_sum"), facts.MetricRef(k, "kubelet_pleg_relist_duration_seconds_count")}
		c.Summary = fmt.Sprintf("a relist (PLEG) takes %s on average", wording.Duration(mean))
	case lost >= manyDiscards:
		c.Summary = fmt.Sprintf("the kubelet has dropped %.0f pod lifecycle events (PLEG) since its start", lost)
	default:
		return false
	}
	if lost > 0 {
		c.Evidence = append(c.Evidence, facts.MetricRef(k, "kubelet_pleg_discard_events"))
	}
	p.Found(c)
	return true
}

// wellRelists describes healthy totals without a time.
func wellRelists(mean time.Duration, relists, seen float64) string {
	text := fmt.Sprintf("%.0f relists since its start, %s on average, which is normal", relists, mean.Round(time.Millisecond))
	if seen > 0 {
		text += ", last one at " + time.Unix(int64(seen), 0).UTC().Format(time.RFC3339)
	}
	return text + "; the time of the metrics is unknown"
}

func ofNode(k *evidence.Kubelet) string {
	if k.Node == "" {
		return ""
	}
	return " of " + k.Node
}
