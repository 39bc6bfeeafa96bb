package accuracy

import (
	"strings"
	"testing"
)

// A log stops when the fault ends, and an unrelated pod runs on the node, or is gone and leaves its events. The events of a
// description are in a table, because the described pod is gone.
func TestHealed(t *testing.T) {
	for _, c := range []struct {
		name, variant, file, text string
		holds, not                []string
	}{
		{
			"log", podRuns, "1.txt", `Mar 06 21:57:59 node01 kubelet[10880]: E0306 21:57:59.274910   10880 pod_workers.go:190] "Error syncing pod, skipping" err="x" pod="shop/web-0"` + "\n",
			[]string{"-- later/pod.json --", `"creationTimestamp": "2024-03-06T21:59:29Z"`, `"nodeName": "node01"`}, []string{"SyncLoop", "NodeReady"},
		},
		{
			"zone", podGone, "1.txt", `2024-03-06T21:57:59+0800 node01 kubelet[10880]: E0306 21:57:59.274910   10880 pod_workers.go:190] "Error syncing pod, skipping" err="x" pod="shop/web-0"` + "\n",
			[]string{"-- later/events.json --", `"lastTimestamp": "2024-03-06T13:59:29Z"`, `"host": "node01"`}, []string{`"kind": "Pod",` + "\n  \"metadata\""},
		},
		{
			"description", podGone, "pod.txt", "Name:         web-0\nNamespace:    shop\nNode:         n1/10.0.0.4\nStart Time:   Wed, 06 Mar 2024 21:00:00 +0000\nEvents:\n  Type     Reason                  Age   From      Message\n" +
				"  Warning  FailedCreatePodSandBox  5m    kubelet   no network\n",
			[]string{"shop   8m30s   Warning   FailedCreatePodSandBox   pod/web-0   no network", "Successfully assigned shop/web-0 to n1", "Started   pod/" + otherPod, "Killing   pod/" + otherPod}, []string{"Start Time"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, skip := healed(Play{Kind: healedByAnother.name, Variant: c.variant, Case: made(t, File{c.file, c.text}), Seed: 1})
			if skip != "" {
				t.Fatalf("skipped: %s", skip)
			}
			for _, part := range c.holds {
				if !strings.Contains(got.String(), part) {
					t.Errorf("%q is missing in\n%s", part, got)
				}
			}
			for _, part := range c.not {
				if strings.Contains(got.String(), part) {
					t.Errorf("%q is still in\n%s", part, got)
				}
			}
		})
	}
}

// Heads of tables are dropped, and rows are kept; a line of more than 80 columns continues in the next.
func TestPieces(t *testing.T) {
	table := Files{{"1.txt", "$ kubectl get nodes\nNAME   STATUS   ROLES    AGE   VERSION\nn1     Ready    <none>   9d    v1.33.1\n"}}
	if got := pieceOf[noHeads](table)[0].Text; got != "n1     Ready    <none>   9d    v1.33.1\n" {
		t.Errorf("without heads it is %q", got)
	}
	long := Files{{"1.txt", strings.Repeat("a", 80) + "b\nc\n"}}
	if got := pieceOf[wrapped](long)[0].Text; got != strings.Repeat("a", 80)+"\nb\nc\n" {
		t.Errorf("wrapped it is %q", got)
	}
}
