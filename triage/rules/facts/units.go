package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/components"
)

// SaidByUnit returns the causes for a kubelet or runtime unit that is stopped, and for one that restarts repeatedly.
func SaidByUnit(name string) (stopped, looping string) {
	c := components.OfUnit(name)
	if c == nil || !c.StartsPods() {
		return "", ""
	}
	return c.Stopped(), c.Looping()
}

// OfNode reports whether a control group contains essential parts of the node: all pods, or kubelet and runtime.
func OfNode(group string) bool {
	group = strings.Trim(group, "/")
	if part, _ := SaidByUnit(path.Base(group)); part != "" {
		return true
	}
	return slices.Contains([]string{"", "kubepods", "system", "runtime", "kube", "kubelet", "podruntime"}, strings.TrimSuffix(group, ".slice"))
}
