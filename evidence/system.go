package evidence

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/components"
)

// SystemNamespace reports whether the namespace has components that each node needs.
func SystemNamespace(ns string) bool { return components.HoldsForAll(ns) }

// ComponentNamespace reports whether the namespace belongs to a distribution or to network, storage and device plugins.
// Logs of its pods count as component messages because only cluster admins are expected to create such namespaces.
func ComponentNamespace(ns string) bool {
	return strings.HasPrefix(ns, "kube-") || strings.HasSuffix(ns, "-system") || components.Reserves(ns)
}
