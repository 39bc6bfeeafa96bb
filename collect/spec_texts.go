package collect

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	corev1 "k8s.io/api/core/v1"
)

// minSpecText is the minimum length at which a text of a pod spec can contain a match, in bytes.
const minSpecText = 6

// specTexts caches the texts of pod specs that may form a sentence: those with a space. Many pods share a spec.
type specTexts map[*corev1.PodSpec][]string

func (known specTexts) of(spec *corev1.PodSpec) []string {
	if spec == nil {
		return nil
	}
	if list, ok := known[spec]; ok {
		return list
	}
	var list []string
	raw, err := json.Marshal(spec)
	var tree any
	if err == nil && strings.ContainsFunc(string(raw), unicode.IsSpace) && json.Unmarshal(raw, &tree) == nil {
		list = sentences(tree, nil)
	}
	known[spec] = list
	return list
}

// sentences appends the strings with a space from a JSON tree.
func sentences(tree any, to []string) []string {
	switch v := tree.(type) {
	case string:
		if len(v) >= minSpecText && strings.ContainsFunc(v, unicode.IsSpace) {
			to = append(to, v)
			if quoted := strings.Trim(strconv.Quote(v), `"`); quoted != v {
				to = append(to, quoted) // the form in a message
			}
		}
	case []any:
		for _, x := range v {
			to = sentences(x, to)
		}
	case map[string]any:
		for name, x := range v {
			to = sentences(x, sentences(name, to))
		}
	}
	return to
}
