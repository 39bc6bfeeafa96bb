package paste

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// podRow reads "kubectl get pods".
func podRow(t *table, c cells, l line) bool {
	name := c["NAME"]
	if i := strings.IndexByte(name, '/'); i > 0 && trimKind(name) == name {
		return false
	}
	if !isName(name) || !isAge(c["AGE"]) {
		return false
	}
	namespace := c["NAMESPACE"]
	if namespace == "" {
		namespace = t.ask.namespace
	}
	p := tablePod(t.p, namespace, trimKind(name), c["READY"], c["STATUS"], c["RESTARTS"], l)
	if p == nil {
		return false
	}
	if !t.p.text.room("pods", l) {
		return true
	}
	p.IP, p.Node = c.get("IP"), c.get("NODE")
	t.p.text.setAge(&p.Created, c["AGE"])
	if d, ok := parseAge(c["AGE"]); ok {
		p.Ago = &d
	}
	if list := c.get("LABELS"); list != "" {
		p.Labels = map[string]string{}
		for _, kv := range strings.Split(list, ",") {
			if k, v, ok := strings.Cut(kv, "="); ok {
				p.Labels[k] = v
			}
		}
	}
	t.p.text.pods = append(t.p.text.pods, p)
	return true
}

// tablePod builds a pod from the columns that all pod tables have; nil if they do not match. The READY column counts containers.
// It does not show that the control plane marked the pod not ready because its node is unreachable.
func tablePod(p *page, namespace, name, ready, status, restarts string, l line) *evidence.Pod {
	count, total, ok := parseOf(ready)
	times, counted := parseRestarts(restarts)
	if !ok || !counted || !isPodStatus(status) {
		return nil
	}
	out := &evidence.Pod{
		Namespace: namespace, Name: name, Status: status, ReadyCount: count, Total: total, Restarts: times,
		Partial: true,
	}
	if total > 0 {
		out.Ready = evidence.Known(count == total)
	}
	switch status {
	case "Unknown", "NodeLost": // its kubelet is unreachable, so the count is outdated
		out.Ready = evidence.Unknown
	case "Pending", "Running", "Succeeded", "Failed":
		out.Phase = corev1.PodPhase(status)
	case "Completed": // printed only if every container succeeded
		out.Phase = corev1.PodSucceeded
	case "Evicted":
		out.Phase, out.Reason = corev1.PodFailed, status
	}
	return out
}

// parseRestarts parses "5" and "5 (3m ago)".
func parseRestarts(s string) (times int, ok bool) {
	number, rest, _ := strings.Cut(s, " ")
	times, err := strconv.Atoi(number)
	if rest != "" && rest[0] != '(' {
		return times, false
	}
	return times, err == nil && times >= 0
}

// parseOf parses "1/2".
func parseOf(s string) (count, total int, ok bool) {
	a, b, slash := strings.Cut(s, "/")
	count, err1 := strconv.Atoi(a)
	total, err2 := strconv.Atoi(b)
	if !slash || err1 != nil || err2 != nil {
		return count, total, false
	}
	return count, total, count >= 0 && total >= 0
}

// isPodStatus reports whether a cell can be a STATUS of pods: a phase or a reason in CamelCase, possibly with "Init:" and counts.
func isPodStatus(s string) bool {
	if s == "" || len(s) > 100 || s[0] < 'A' || s[0] > 'Z' {
		return false
	}
	for _, c := range s {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == ':', c == '/', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}
