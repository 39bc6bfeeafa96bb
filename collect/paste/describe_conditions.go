package paste

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

const stamp = `[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} [+-]\d{4}`

// conditionRow matches TYPE STATUS HEARTBEAT TRANSITION REASON MESSAGE.
var conditionRow = lazyregexp.New(`^(\S+)\s+(True|False|Unknown)\s+(` + stamp + `)\s+(` + stamp + `)\s+(\S+)\s*(.*)$`)

// shortRow matches a row that was pasted without its times. Only known types count then.
var shortRow = lazyregexp.New(`^(Ready|MemoryPressure|DiskPressure|PIDPressure|OutOfDisk|NetworkUnavailable)\s+(True|False|Unknown)\s+([A-Z][A-Za-z]{3,})\s+(\S.*)$`)

func isConditionHeader(text string) bool {
	f := strings.Fields(text)
	return len(f) >= 4 && f[0] == "Type" && f[1] == "Status" && strings.HasPrefix(f[2], "Last")
}

func isConditionRow(text string) bool {
	_, ok := parseCondition(text)
	return ok
}

// parseCondition parses one row.
func parseCondition(text string) (corev1.NodeCondition, bool) {
	text = strings.TrimSpace(text)
	if m := conditionRow.FindStringSubmatch(text); m != nil {
		c := corev1.NodeCondition{
			Type: corev1.NodeConditionType(m[1]), Status: corev1.ConditionStatus(m[2]), Reason: m[5], Message: m[6],
		}
		beat, _ := parseRFC1123Z(m[3])
		since, _ := parseRFC1123Z(m[4])
		c.LastHeartbeatTime, c.LastTransitionTime = metav1.Time{Time: beat}, metav1.Time{Time: since}
		return c, true
	}
	if m := shortRow.FindStringSubmatch(text); m != nil {
		return corev1.NodeCondition{
			Type: corev1.NodeConditionType(m[1]), Status: corev1.ConditionStatus(m[2]), Reason: m[3], Message: m[4],
		}, true
	}
	return corev1.NodeCondition{}, false
}

// NodeCondition parses a node condition row of kubectl describe.
func NodeCondition(line string) (c corev1.NodeCondition, ok bool) {
	if !strings.Contains(line, "True") && !strings.Contains(line, "False") && !strings.Contains(line, "Unknown") { // faster than the expression
		return c, false
	}
	return parseCondition(line)
}

func (s *section) hasNodeConditions() bool {
	for _, l := range s.lines {
		if isConditionRow(strings.TrimSpace(l.text)) {
			return true
		}
	}
	return false
}

func (d *description) nodeConditions(s *section) []corev1.NodeCondition {
	var out []corev1.NodeCondition
	for _, l := range s.lines {
		c, ok := parseCondition(l.text)
		if !ok {
			if text := strings.TrimSpace(l.text); len(out) > 0 && !isRule(text) && !isConditionHeader(text) && len(out[len(out)-1].Message) < maxQuote*4 {
				last := &out[len(out)-1]
				last.Message = strings.TrimSpace(last.Message + " " + text) // a message of several lines
			}
			continue
		}
		if c.Type == corev1.NodeReady && c.Status != corev1.ConditionUnknown {
			d.p.text.seenAlive(c.LastHeartbeatTime.Time)
		}
		out = append(out, c)
	}
	return out
}
