package paste_test

import (
	"slices"
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

// A log file of klog quotes the commands that its program runs, and a description without its first lines is one of an object.
func TestBlocksOfQuotesAndPieces(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  []int
	}{
		{"a log file that quotes a command", []string{"Log file created at: 2025/08/11 10:56:14", "sudo hostname minikube && hostname", "I0811 10:56:23.0 1 a.go:1] x"}, nil},
		{"a command after the log file", []string{"Log file created at: 2025/08/11 10:56:14", "$ kubectl get nodes", "sudo df -h"}, []int{2, 3}},
		{"a description without its head", []string{"$ kubectl describe pod web", "...", "Containers:", "  sh:", "    State:  Terminated"}, []int{1, 3}},
		{"a description", []string{"Name:   web", "Containers:", "  sh:"}, []int{1}},
	} {
		var b paste.Blocks
		for _, line := range c.lines {
			b.Take(line)
		}
		var got []int
		for _, block := range b.List() {
			got = append(got, block.Line)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: blocks start at %v, want %v", c.name, got, c.want)
		}
	}
}
