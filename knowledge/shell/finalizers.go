package shell

import (
	"fmt"
	"slices"
)

// WithoutFinalizers returns the commands that remove these finalizers from a pod whose list contains exactly all. Each command
// tests the finalizer at its index first. The last comes first, so that other indexes stay valid.
func WithoutFinalizers(namespace, pod string, all, these []string) []Text {
	var out []Text
	for i := len(all) - 1; i >= 0; i-- {
		if !slices.Contains(these, all[i]) {
			continue
		}
		path := fmt.Sprintf("/metadata/finalizers/%d", i)
		patch := fmt.Sprintf(`[{"op":"test","path":%q,"value":%q},{"op":"remove","path":%q}]`, path, all[i], path)
		out = append(out, Format("kubectl -n {namespace} patch pod {pod} --type=json -p {patch}", namespace, pod, patch))
	}
	return out
}
