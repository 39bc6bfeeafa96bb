package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// longNames are node names of AKS, EKS and GKE. The last characters are those that differ.
var longNames = []string{
	"aks-nodepool1-12345678-vmss000000", "aks-nodepool1-12345678-vmss000001",
	"ip-10-0-184-189.ap-southeast-1.compute.internal", "ip-10-0-184-198.ap-southeast-1.compute.internal",
	"gke-prod-cluster-default-pool-3f2a1b4c-x7z9", "gke-prod-cluster-default-pool-3f2a1b4c-x7z8",
}

var (
	longSpace = strings.Repeat("commerce-", 6) + "europe-01"        // 63 characters, the most that Kubernetes accepts
	longPod   = strings.Repeat("checkout-", 5) + "7d9f8b6c54-x2x4q" // 63 with its number
	judgedAt  = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
)

// longLists returns every list with long names, and the names that it must show.
func longLists() map[string]struct {
	write func(io.Writer, Style) error
	names []string
} {
	two, at := 2, judgedAt
	milli, bytes, free := int64(3660), int64(12<<30), int64(108)
	since := judgedAt.Add(-439 * time.Minute)
	head := lists.Head{Source: "cluster prod", Verdict: triage.Warn, TakenAt: &at}
	m := &nodes.Map{Source: "cluster prod", Verdict: triage.Warn, At: &at, Nodes: len(longNames), States: map[nodes.State]int{nodes.NotReady: len(longNames)}}
	g := nodes.Group{Pool: "nodepool1", States: m.States}
	budgets, daemons := &lists.Budgets{Head: head}, &lists.DaemonSets{Head: head}
	pods := &lists.Pods{Head: head, Total: 2 * len(longNames), NotRunning: 2 * len(longNames)}
	group := lists.PodGroup{Reason: "CrashLoopBackOff", Acts: "workload owner", Count: 2 * len(longNames)}
	pools, ops := &lists.Pools{Head: head}, &lists.Operations{Head: head}
	var all, pdbs, sets, podNames, poolNames, steps []string
	for i, name := range longNames {
		g.Nodes = append(g.Nodes, &nodes.Node{Name: name, State: nodes.NotReady, Since: &since, Heartbeat: &since, Pods: nodes.Pods{Running: &two, Max: &two},
			Free: nodes.Free{CPU: &milli, Memory: &bytes, Pods: &free, Devices: map[string]int64{"nvidia.com/gpu": int64(i)}}})
		all = append(all, name)
		app := fmt.Sprintf("checkout-payment-gateway-production-%d", i)
		budgets.Budgets = append(budgets.Budgets, lists.Budget{
			Namespace: "commerce-production", Name: app, MinAvailable: "1", Healthy: &two, Expected: &two, Desired: &two, Pods: &two,
			Holds: longNames[:i], Selector: "app=" + app, Odd: []string{"never allows an eviction"},
		})
		pdbs = append(pdbs, "commerce-production/"+app)
		daemons.DaemonSets = append(daemons.DaemonSets, lists.DaemonSet{Namespace: longSpace, Name: app, Desired: 9, Ready: 8, Missing: longNames[:i]})
		sets = append(sets, longSpace+"/"+app)
		for _, space := range []string{"shop", longSpace} {
			pod := fmt.Sprintf("%s-%d", longPod, i)
			if i == 0 && space == "shop" {
				pod = "web-0"
			}
			group.Pods = append(group.Pods, lists.Pod{Namespace: space, Name: pod, Owner: "Deployment/" + app, Node: name, Status: "CrashLoopBackOff", Since: &since, Restarts: 7})
			podNames = append(podNames, space+"/"+pod, name)
		}
		pools.Pools = append(pools.Pools, lists.Pool{Name: name[:20] + fmt.Sprint(i), Size: "Standard_D16ads_v5", State: "Succeeded", Version: "1.33.3", Image: "AKSUbuntu-2204gen2containerd-202609.22.0"})
		poolNames = append(poolNames, name[:20]+fmt.Sprint(i))
		ops.Operations = append(ops.Operations, lists.Operation{Began: &since, Operation: "Microsoft.ContainerService/managedClusters/agentPools/write", Resource: "/x/" + name, Status: "Failed", Caller: "platform-team-automation@example.com", ID: "11111111-2222-3333-4444-555555555555"})
		steps = append(steps, name, "agentPools/write")
	}
	m.Groups, pods.Groups = []nodes.Group{g}, []lists.PodGroup{group}
	type page = struct {
		write func(io.Writer, Style) error
		names []string
	}
	return map[string]page{
		"nodes":      {func(w io.Writer, s Style) error { return Map(w, m, s) }, all},
		"pods":       {func(w io.Writer, s Style) error { return Pods(w, pods, s) }, podNames},
		"budgets":    {func(w io.Writer, s Style) error { return Budgets(w, budgets, s) }, pdbs},
		"daemonsets": {func(w io.Writer, s Style) error { return DaemonSets(w, daemons, s) }, sets},
		"pools":      {func(w io.Writer, s Style) error { return Pools(w, pools, s) }, poolNames},
		"operations": {func(w io.Writer, s Style) error { return Operations(w, ops, s) }, steps},
	}
}

// No list cuts a name, or writes a line that is too long unless it is a single name.
func TestListsKeepNames(t *testing.T) {
	for name, page := range longLists() {
		for _, width := range []int{80, 100, 200} {
			t.Run(fmt.Sprintf("%s/%d", name, width), func(t *testing.T) {
				var out bytes.Buffer
				if err := page.write(&out, Style{Width: width}); err != nil {
					t.Fatal(err)
				}
				words := strings.Fields(out.String())
				for _, name := range page.names {
					if !containsWord(words, name) {
						t.Errorf("%s is not shown whole", name)
					}
				}
				for line := range strings.Lines(out.String()) {
					line = strings.TrimRight(line, "\n")
					if wording.Columns(line) > width && strings.ContainsRune(strings.TrimSpace(line), ' ') {
						t.Errorf("longer than %d columns: %q", width, line)
					}
				}
				casetest.Golden(t, filepath.Join("testdata", "long", fmt.Sprintf("%s-%d.golden", name, width)), func(w io.Writer) error {
					_, err := w.Write(out.Bytes())
					return err
				})
			})
		}
	}
}

func containsWord(words []string, name string) bool {
	for _, w := range words {
		if w == name {
			return true
		}
	}
	return false
}

// The wide form shows every column and every name, and nothing is left out.
func TestWideListsShowEverything(t *testing.T) {
	for name, page := range longLists() {
		var out bytes.Buffer
		if err := page.write(&out, Style{Width: 80, Wide: true}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "left out") || strings.Contains(out.String(), "more (") {
			t.Errorf("%s:\n%s", name, out.String())
		}
	}
}
