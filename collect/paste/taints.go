package paste

import (
	"encoding/json"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// parseTaint parses key=value:Effect or key:Effect.
func parseTaint(s string) (corev1.Taint, bool) {
	s = strings.TrimSpace(s)
	i := strings.LastIndexByte(s, ':')
	if i <= 0 || strings.ContainsAny(s, " \t{}") {
		return corev1.Taint{}, false
	}
	t := corev1.Taint{Effect: corev1.TaintEffect(s[i+1:])}
	switch t.Effect {
	case corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute:
	default:
		return corev1.Taint{}, false
	}
	t.Key, t.Value, _ = strings.Cut(s[:i], "=")
	return t, true
}

// printedMap matches one taint in Go's map format. The order of the fields varies, and only older versions omit empty values.
var (
	printedMap   = lazyregexp.New(`map\[([^\[\]]{1,500})\]`)
	printedField = lazyregexp.New(`(?:^| )(effect|key|value|timeAdded):(\S*)`)
)

// printedTaints parses .spec.taints in the format of -o jsonpath and custom-columns: a Go map, [map[effect:NoSchedule key:k]], or
// JSON in newer versions.
func printedTaints(s string) ([]corev1.Taint, bool) {
	s = strings.TrimSpace(s)
	if len(s) < 4 || s[0] != '[' || s[len(s)-1] != ']' || len(s) > 16<<10 {
		return nil, false
	}
	var out []corev1.Taint
	if s[1] == '{' {
		if json.Unmarshal([]byte(s), &out) != nil {
			return nil, false
		}
	} else {
		for _, m := range printedMap.FindAllStringSubmatch(s, 100) {
			var t corev1.Taint
			for _, f := range printedField.FindAllStringSubmatch(m[1], 8) {
				switch f[1] {
				case "effect":
					t.Effect = corev1.TaintEffect(f[2])
				case "key":
					t.Key = f[2]
				case "value":
					t.Value = f[2]
				}
			}
			out = append(out, t)
		}
	}
	for _, t := range out {
		if t.Key == "" || t.Effect == "" {
			return nil, false
		}
	}
	return out, len(out) > 0
}

// startTaints reads taints printed by a jsonpath: of the only node of the command, or of the node whose name precedes them.
func startTaints(p *page, l line) reader {
	text := strings.TrimSpace(l.text)
	i := strings.IndexByte(text, '[')
	if i < 0 {
		return nil
	}
	name := strings.TrimRight(text[:i], " \t:=")
	ask := p.command().kubectl()
	if name == "" {
		name = ask.one("Node")
	} else if !isName(name) || ask.verb != "" && ask.kind() != "Node" {
		return nil
	}
	taints, ok := printedTaints(text[i:])
	if !ok {
		return nil
	}
	if !p.text.room("nodes", l) {
		return done
	}
	n := &evidence.Node{Node: &corev1.Node{}, Partial: true, Ref: p.ref(l)}
	n.Name, n.Spec.Taints = name, taints
	p.text.nodes = append(p.text.nodes, n)
	return done
}
