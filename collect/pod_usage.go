package collect

import (
	"context"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// maxUsageNamespaces bounds the namespaces whose use is asked for: each answer has all of their pods.
const maxUsageNamespaces = 10

// podUsage asks the metrics API what the pods of the nodes use. Where it is not served, or not allowed, the kubelets' own
// summaries tell it, and nothing is missing.
func (n *nodeSurvey) podUsage(ctx context.Context, pods []*evidence.Pod) {
	of := map[string]map[string]bool{} // names by namespace
	var namespaces []string
	for _, p := range pods {
		if of[p.Namespace] == nil {
			of[p.Namespace] = map[string]bool{}
			namespaces = append(namespaces, p.Namespace)
		}
		of[p.Namespace][p.Name] = true
	}
	for _, namespace := range namespaces[:min(len(namespaces), maxUsageNamespaces)] {
		list, err := kube.PodUsage[evidence.PodMetrics](ctx, n.reader, namespace)
		if reason := kube.ReasonOf(err); reason == kube.NotFound || reason == kube.Forbidden {
			return
		}
		n.note(outcome{kind: evidence.PodUses, what: "pod metrics in " + namespace, some: len(list) > 0, err: err})
		if err != nil {
			return
		}
		for i := range list {
			if of[namespace][list[i].Metadata.Name] {
				n.builder.AddObject(&list[i])
			}
		}
	}
}
