package collect

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// isNothing reports whether a document is an empty list of an unknown kind: [], {}, null, or a list without items and kind.
func isNothing(text []byte) bool {
	if len(text) > 1<<10 {
		return false
	}
	var v any
	if json.Unmarshal(bytes.TrimSpace(text), &v) != nil {
		return false
	}
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, name := range []string{"items", "value"} { // of kubectl and of cloud CLIs
			if list, ok := v[name].([]any); ok && len(list) == 0 {
				delete(v, name)
			}
		}
		return len(v) == 0
	}
	return false
}

// tellNothing adds a gap for such a document: the requested objects do not exist, are not visible to the user, or are elsewhere.
// It ignores files in subfolders: tools save those, and their names show what they are.
func (b *Builder) tellNothing(name string) {
	if strings.Contains(name, "/") {
		return
	}
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		d.Gaps = append(d.Gaps, evidence.Gap{
			What: "which list " + name + " is", Why: "it is empty: there are none, the account has no permission, or the query was for another scope",
			How: "include the command with its output, or save lists with their kind (kubectl get ... -o yaml)",
		})
	})
}
