package evidence

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/components"
)

// SystemNamespace reports whether the namespace holds what each node needs to work.
func SystemNamespace(ns string) bool { return components.HoldsForAll(ns) }

// ComponentNamespace reports whether the namespace is one of those that distributions and network, storage and device plugins
// use. What pods write there counts as the words of a component: only cluster admins are expected to create such namespaces.
func ComponentNamespace(ns string) bool {
	return strings.HasPrefix(ns, "kube-") || strings.HasSuffix(ns, "-system") || components.Reserves(ns)
}
