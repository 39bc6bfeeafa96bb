package paste_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
)

// A command that prints the log of a pod identifies the pod, with its flags in any order.
func TestBlocksOfPodLogs(t *testing.T) {
	cilium := evidence.PodSubject("kube-system", "cilium-lkw8n")
	for line, want := range map[string]struct {
		pod    evidence.Subject
		tenant bool
	}{
		"$ kubectl logs -n kube-system cilium-lkw8n --previous":        {cilium, false},
		"$ kubectl -n kube-system logs cilium-lkw8n --previous":        {cilium, false},
		"$ kubectl --namespace=kube-system logs pod/cilium-lkw8n":      {cilium, false},
		"$ kubectl logs --namespace=kube-system -c agent cilium-lkw8n": {cilium, false},
		"$ kubectl logs cilium-lkw8n":                                  {},
		"$ kubectl logs -n kube-system ds/cilium":                      {},
		"$ kubectl logs -n kube-system -l k8s-app=cilium":              {},
		"$ kubectl -n shop logs web-0":                                 {evidence.Subject{}, true},
		"$ kubectl logs web-0 --namespace=shop":                        {evidence.Subject{}, true},
	} {
		var b paste.Blocks
		b.Take(line)
		if list := b.List(); len(list) != 1 || list[0].Pod != want.pod || list[0].Tenant != want.tenant {
			t.Errorf("%s: %+v", line, list)
		}
	}
}
