package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/answers/clusterview"
	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics/placement"
)

// insufficient returns the resources that some node has too little of, in the scheduler's words.
func insufficient(r placement.Answer) []string {
	var out []string
	for _, f := range r.Refusals {
		for _, reason := range f.Reasons {
			if name, ok := strings.CutPrefix(reason, "Insufficient "); ok && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return out
}

// sizes returns the requests of the pod, the scarce ones first, each with the most that one of the nodes has free.
func sizes(c placement.Board, p *evidence.Pod, scarce, nodes []string) []string {
	want := evidence.Requests(p.Spec)
	var names []string
	for name := range want {
		names = append(names, string(name))
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(-cmp.Compare(rankOf(a, scarce), rankOf(b, scarce)), strings.Compare(a, b))
	})
	var out []string
	for _, name := range names {
		says := human(want, corev1.ResourceName(name)) + " " + name
		if rankOf(name, scarce) > 0 {
			says += mostFree(c, corev1.ResourceName(name), nodes)
		}
		out = append(out, says)
	}
	if len(out) == 0 {
		return nil
	}
	return []string{strings.Join(out, ", ")}
}

func rankOf(name string, scarce []string) int {
	if slices.Contains(scarce, name) {
		return 1
	}
	return 0
}

// mostFree says on which of the nodes the most of a resource is free.
func mostFree(c placement.Board, name corev1.ResourceName, nodes []string) string {
	var best resource.Quantity
	on := ""
	for _, node := range nodes {
		if free := c.Free(node)[name]; on == "" || free.Cmp(best) > 0 {
			best, on = free, node
		}
	}
	return fmt.Sprintf(" (largest free: %s on %s)", best.String(), on)
}

// more returns how to add a node to the pool of this one, in the words of its cloud, and what may prevent it.
func (a *asker) more(like *corev1.Node) (what string, commands []shell.Text) {
	n := &evidence.Node{Node: like}
	_, pool := n.PoolLabel()
	if pool == "" {
		return "add a node like " + like.Name, nil
	}
	nodes := a.poolNodes(pool)
	what = fmt.Sprintf("scale pool %s to %d nodes", pool, len(nodes)+1)
	if _, cordoned := clusterview.Unfinished(nodes); cordoned != nil {
		what += fmt.Sprintf("; the cloud may refuse that until the upgrade of the pool has ended (%s)", clusterview.CordonedFor(cordoned, a.now))
	}
	cloud := advice.Cloud(evidence.ProviderOf(n))
	scale := cloud.Command(advice.ScalePool, pool, fmt.Sprint(len(nodes)+1))
	if find := cloud.Command(advice.FindCluster); find != advice.FindCluster {
		commands = a.named(pool, find, scale)
	}
	return what, commands
}

// named fills in the cluster of the pool. If it is not in the evidence, the command that shows it comes first.
func (a *asker) named(pool string, find, scale shell.Text) []shell.Text {
	for _, p := range evidence.CloudOf[*evidence.CloudPool](a.s.Data()) {
		if parts := strings.Split(p.ID, "/"); p.Name == pool && p.Group != "" && len(parts) > 2 {
			return []shell.Text{scale.Complete(map[string]string{"cluster-group": p.Group, "cluster-name": parts[len(parts)-3]})}
		}
	}
	return []shell.Text{find, scale}
}

// poolNodes returns the nodes of the pool.
func (a *asker) poolNodes(pool string) []*evidence.Node {
	var out []*evidence.Node
	for _, n := range a.s.Nodes() {
		if _, of := n.PoolLabel(); of == pool {
			out = append(out, n)
		}
	}
	return out
}
