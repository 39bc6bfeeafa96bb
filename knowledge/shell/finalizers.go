package shell

import (
	"fmt"
	"slices"
)

// WithoutFinalizers are the commands that take these finalizers from a pod that has all of the list, and no other: each tests that its
// place in the list still holds it. The last comes first, so that the places of the others stay.
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
