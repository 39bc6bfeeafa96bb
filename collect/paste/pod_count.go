package paste

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// selectedNode matches the node in a field selector.
var selectedNode = lazyregexp.New(`\bspec\.nodeName=([\w.-]+)`)

// startPodCount reads how many pods of a node kubectl listed, counted by wc. Completed pods are included, unless the selector
// excludes them.
func startPodCount(p *page, l line) reader {
	text := strings.TrimSpace(l.text)
	if text == "" || text[0] < '0' || text[0] > '9' {
		return nil
	}
	count, err := strconv.Atoi(text)
	c := p.command()
	if err != nil || count == 0 || c.tool() != "kubectl" || len(c.filters) != 1 || !slices.Equal(c.filters[0], []string{"wc", "-l"}) {
		return nil
	}
	asked := strings.Join(c.words, " ")
	node := selectedNode.FindStringSubmatch(asked)
	ended := !strings.Contains(asked, "status.phase!=Succeeded") && !strings.Contains(asked, "status.phase=Running")
	if node == nil || !slices.ContainsFunc(c.words, func(w string) bool { return w == "pods" || w == "pod" || w == "po" }) || !p.text.room("counts of pods", l) {
		return nil
	}
	if !slices.Contains(c.words, "--no-headers") {
		count--
	}
	n := &evidence.Node{Node: &corev1.Node{}, Partial: true, Ref: p.ref(l)}
	if n.Name = node[1]; ended {
		n.PodsListed = count
	} else {
		n.PodCount = count
	}
	p.text.nodes = append(p.text.nodes, n)
	return done
}

// startPodsByNode reads the number of pods of each node, where uniq counted the node names of all pods that kubectl listed.
func startPodsByNode(p *page, l line) reader {
	f := strings.Fields(l.text)
	if len(f) != 2 || f[0][0] < '0' || f[0][0] > '9' {
		return nil
	}
	count, err := strconv.Atoi(f[0])
	if err != nil || count == 0 || !isName(f[1]) || strings.Trim(f[1], ".0123456789") == "" || !countsNodes(p.command()) || !p.text.room("counts of pods", l) {
		return nil
	}
	p.text.nodes = append(p.text.nodes, &evidence.Node{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: f[1]}}, Partial: true, Ref: p.ref(l), PodsListed: count})
	return done
}

// countsNodes reports whether the command counts the pods of all namespaces by node.
func countsNodes(c *command) bool {
	pods := slices.ContainsFunc(c.words, func(w string) bool { return w == "pods" || w == "pod" || w == "po" })
	all := slices.Contains(c.words, "-A") || slices.Contains(c.words, "--all-namespaces")
	counted := slices.ContainsFunc(c.filters, func(f []string) bool { return f[0] == "uniq" && slices.Contains(f, "-c") })
	asked := strings.Join(c.words, " ")
	column := strings.Contains(asked, "nodeName") || slices.ContainsFunc(c.filters, func(f []string) bool {
		return f[0] == "awk" && strings.Contains(strings.Join(f, " "), "$8") // NODE of -A -o wide
	})
	return c.tool() == "kubectl" && pods && all && counted && column && !slices.ContainsFunc(c.filters, func(f []string) bool { return toolName(f[0]) == "grep" })
}
