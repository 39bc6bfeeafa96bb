package paste

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds/quantity"
)

func isPodsHeader(text string) bool {
	f := strings.Fields(text)
	return len(f) >= 4 && startsWith(f, "Namespace", "Name", "CPU")
}

// podsRow reads NAMESPACE NAME and four amounts, each with a percentage, and an age since 1.14. The fourth amount is the memory
// limit, the sum over the containers.
func podsRow(text string) (p evidence.Pod, created string, ok bool) {
	w := splitWords(text)
	if len(w) < 6 || len(w) > 7 || !isName(w[0]) || !isName(w[1]) {
		return p, "", false
	}
	for _, amount := range w[2:6] {
		if !strings.HasSuffix(amount, "%)") {
			return p, "", false
		}
	}
	if len(w) == 7 {
		created = w[6]
	}
	limit, known := amount(w[5])
	return evidence.Pod{Namespace: w[0], Name: w[1], Partial: true, Unlimited: known && limit.IsZero()}, created, true
}

func isPodsRow(text string) bool {
	_, _, ok := podsRow(text)
	return ok
}

// nodePods reads the pods of the node. Without a node name, they would look unscheduled, so they are left out.
func (d *description) nodePods(n *evidence.Node) {
	s := d.find("Non-terminated Pods")
	if s == nil {
		return
	}
	if word, rest := nextWord(strings.Trim(s.value, "()")); rest == "in total" {
		n.PodCount, _ = strconv.Atoi(word)
	}
	for _, l := range s.lines {
		p, created, ok := podsRow(l.text)
		if !ok || n.Name == "" || !d.p.text.room("pods", l) {
			continue
		}
		p.Node = n.Name
		d.p.text.setAge(&p.Created, created)
		d.p.text.pods = append(d.p.text.pods, &p)
	}
}

func isResourceHeader(text string) bool {
	f := strings.Fields(text)
	switch len(f) {
	case 3:
		return startsWith(f, "Resource", "Requests", "Limits")
	case 8: // up to 1.12
		return startsWith(f, "CPU", "Requests") && f[4] == "Memory"
	}
	return false
}

// amount reads "850m (42%)".
func amount(s string) (resource.Quantity, bool) {
	word, _ := nextWord(s)
	q, err := quantity.Parse(word)
	return q, err == nil
}

func isResourceRow(text string) bool {
	w := splitWords(text)
	if len(w) != 3 && len(w) != 4 {
		return false
	}
	for _, cell := range w[1:] {
		if _, ok := amount(cell); !ok {
			return false
		}
	}
	return true
}

// allocated reads the sums of requests and limits: a row per resource, up to 1.12 one row for CPU and memory.
func (d *description) allocated(n *evidence.Node) {
	s := d.find("Allocated resources")
	if s == nil {
		return
	}
	n.Requests, n.Limits = corev1.ResourceList{}, corev1.ResourceList{}
	set := func(name corev1.ResourceName, request, limit string) {
		if q, ok := amount(request); ok {
			n.Requests[name] = q
		}
		if q, ok := amount(limit); ok {
			n.Limits[name] = q
		}
	}
	for _, l := range s.lines {
		w := splitWords(strings.TrimSpace(l.text))
		if !isResourceRow(strings.TrimSpace(l.text)) || len(n.Requests) > 200 {
			continue
		}
		if len(w) == 4 {
			set(corev1.ResourceCPU, w[0], w[1])
			set(corev1.ResourceMemory, w[2], w[3])
			continue
		}
		set(corev1.ResourceName(w[0]), w[1], w[2])
	}
	if len(n.Requests) == 0 {
		n.Requests, n.Limits = nil, nil
	}
}
