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
	c := p.command()
	count, ok := positiveCount(strings.TrimSpace(l.text))
	if !ok || !asksPods(c) || !countsLines(c) {
		return nil
	}
	asked := strings.Join(c.words, " ")
	node := selectedNode.FindStringSubmatch(asked)
	ended := !strings.Contains(asked, "status.phase!=Succeeded") && !strings.Contains(asked, "status.phase=Running")
	if node == nil || !p.text.room("counts of pods", l) {
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
	if len(f) != 2 {
		return nil
	}
	count, ok := positiveCount(f[0])
	isNumber := strings.Trim(f[1], ".0123456789") == ""
	if !ok || isNumber || !isName(f[1]) || !countsNodes(p.command()) {
		return nil
	}
	if !p.text.room("counts of pods", l) {
		return nil
	}
	p.text.nodes = append(p.text.nodes, &evidence.Node{Node: &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: f[1]}}, Partial: true, Ref: p.ref(l), PodsListed: count})
	return done
}

// positiveCount parses a number of digits, other than 0.
func positiveCount(text string) (int, bool) {
	if text == "" || !isDigit(text[0]) {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n > 0
}

// asksPods reports whether a kubectl command is about pods.
func asksPods(c *command) bool {
	return c.tool() == "kubectl" && slices.ContainsFunc(c.words, func(w string) bool { return evidence.KindNamed(w) == "Pod" })
}

// countsLines reports whether only wc counts the lines of the output.
func countsLines(c *command) bool {
	return len(c.filters) == 1 && slices.Equal(c.filters[0], []string{"wc", "-l"})
}

// countsNodes reports whether the command counts the pods of all namespaces by node.
func countsNodes(c *command) bool {
	all := slices.Contains(c.words, "-A") || slices.Contains(c.words, "--all-namespaces")
	counted := slices.ContainsFunc(c.filters, func(f []string) bool { return f[0] == "uniq" && slices.Contains(f, "-c") })
	asked := strings.Join(c.words, " ")
	column := strings.Contains(asked, "nodeName") || slices.ContainsFunc(c.filters, func(f []string) bool {
		return f[0] == "awk" && strings.Contains(strings.Join(f, " "), "$8") // NODE of -A -o wide
	})
	selected := slices.ContainsFunc(c.filters, func(f []string) bool { return toolName(f[0]) == "grep" })
	if !asksPods(c) || !all || selected {
		return false
	}
	return counted && column
}
