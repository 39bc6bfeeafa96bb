package kubelet

import (
	"fmt"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
	"github.com/nodetriage/nodetriage/wording"
)

// quickCalls are read-only calls to the runtime: they take milliseconds on a healthy node and are frequent.
var quickCalls = []string{"version", "status", "list_podsandbox", "list_containers", "podsandbox_status", "container_status", "image_fs_info"}

const (
	slowCall  = 10 * time.Second
	manyCalls = 20 // with fewer calls the mean is not reliable
)

// RuntimeOperations reads how the runtime answered the kubelet's calls since the kubelet started.
var RuntimeOperations = &triage.Rule{
	ID:            "runtime-operations",
	Doc:           "Reads errors and durations of the kubelet's calls to the container runtime from its metrics.",
	Scope:         triage.OfNode,
	Needs:         []evidence.Kind{evidence.Kubelets},
	Reads:         []evidence.Kind{evidence.Nodes},
	JudgesInstead: waits,
	Check: func(p *triage.Pass) {
		for _, k := range p.Snapshot.Kubelets() {
			subject := evidence.NodeSubject(k.Node)
			asked, found := 0.0, false
			for _, call := range quickCalls {
				label := fmt.Sprintf("{operation_type=%q}", call)
				total, ok := facts.Metric(k, "kubelet_runtime_operations_total"+label)
				if !ok {
					continue
				}
				asked += total
				mean, n := facts.MeanOf(k, "kubelet_runtime_operations_duration_seconds", label)
				failed, _ := facts.Metric(k, "kubelet_runtime_operations_errors_total"+label)
				if n >= manyCalls && mean > slowCall {
					found = true
					p.Found(triage.Claim{
						Says: "runtime-hung", Subject: subject, Certainty: triage.Possible, Key: "slow",
						Evidence: []evidence.Ref{facts.MetricRef(k, "kubelet_runtime_operations_duration_seconds_sum"+label)},
						Summary:  fmt.Sprintf("the container runtime takes %s on average to answer %s", wording.Duration(mean), call),
					})
				}
				if failed > 0 && facts.SaysRuntimeDown(p, k.Node) && failedSlowly(k, label, total, failed) {
					found = true
					p.Found(triage.Claim{
						Says: "runtime-hung", Subject: subject, Certainty: triage.Likely, Key: "timeouts",
						Evidence: []evidence.Ref{facts.MetricRef(k, "kubelet_runtime_operations_errors_total"+label), facts.MetricRef(k, "kubelet_runtime_operations_duration_seconds_sum"+label)},
						Summary:  fmt.Sprintf("the kubelet's %s calls time out: the container runtime is running, but does not answer", call),
					})
				}
				// A container that was just removed makes status calls fail now and then, but never half of them.
				if total >= manyCalls && failed*2 > total {
					found = true
					p.Found(triage.Claim{
						Says: "runtime-error", Subject: subject, Key: call,
						Evidence: []evidence.Ref{facts.MetricRef(k, "kubelet_runtime_operations_errors_total"+label), facts.MetricRef(k, "kubelet_runtime_operations_total"+label)},
					})
				}
			}
			n := p.Snapshot.Node(k.Node)
			switch {
			case found || n == nil || !n.NotReady():
			case asked == 0:
				p.Unknown("whether the runtime of "+k.Node+" answers", "the kubelet's runtime metrics were not read",
					shell.Format("kubectl get --raw /api/v1/nodes/{node}/proxy/metrics | grep runtime_operations; on the node: nodetriage node-check, or timeout 10 crictl pods", k.Node))
			default:
				p.RuleOut("runtime-hung", subject, fmt.Sprintf("the runtime answered %.0f calls of the kubelet in time", asked))
			}
		}
	},
}

// waits reports whether the kubelet's metrics show that its runtime accepts calls but does not answer. The kubelet reports
// "container runtime is down" in that case too, so the runtime is not stopped.
func waits(p *triage.Pass, m *evidence.Match) bool {
	k := p.Snapshot.Kubelet(m.Subject.Name)
	return m.Subject.Kind == "Node" && k != nil && slices.ContainsFunc(quickCalls, func(call string) bool {
		label := fmt.Sprintf("{operation_type=%q}", call)
		total, _ := facts.Metric(k, "kubelet_runtime_operations_total"+label)
		failed, _ := facts.Metric(k, "kubelet_runtime_operations_errors_total"+label)
		return failed > 0 && failedSlowly(k, label, total, failed)
	})
}

// failedSlowly reports whether the failed calls timed out: a refused call fails at once. Successful calls count with the maximum
// that they take on a healthy node.
func failedSlowly(k *evidence.Kubelet, label string, total, failed float64) bool {
	const success = 0.05 // seconds
	sum, ok := facts.Metric(k, "kubelet_runtime_operations_duration_seconds_sum"+label)
	return ok && (sum-(total-failed)*success)/failed > slowCall.Seconds()
}
