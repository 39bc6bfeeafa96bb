package collect

import (
	"path"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
)

// kindOfPath returns the kind that a file or folder name stands for: nodes, pod-disruption-budgets, core_v1_nodes,
// k8s-nodes-20260102-030405. It returns "" if there is none.
func kindOfPath(name string) string {
	name = strings.ToLower(name)
	plain := strings.NewReplacer("-", "", "_", "").Replace(name)
	for _, n := range []string{name, plain, plain + "s", plain + "es"} {
		if o := evidence.ObjectNamed(n); o != nil {
			return o.Kind
		}
	}
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		if o := evidence.ObjectNamed(part); o != nil {
			return o.Kind
		}
	}
	return ""
}

// kindOfDocument returns the kind of the objects in a file that have no kind: by the name of the file, or else of its folder.
func kindOfDocument(d document) string {
	base := path.Base(d.path)
	if k := kindOfPath(strings.TrimSuffix(base, path.Ext(base))); k != "" {
		return k
	}
	return kindOfPath(path.Base(path.Dir(d.path)))
}
