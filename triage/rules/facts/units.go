package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/components"
)

// SaidByUnit returns the causes that a kubelet's or runtime's unit stands for when it does not run, and when it starts over and over.
func SaidByUnit(name string) (stopped, looping string) {
	c := components.OfUnit(name)
	if c == nil || !c.StartsPods() {
		return "", ""
	}
	return c.Stopped(), c.Looping()
}

// OfNode reports whether a control group holds what the node is made of: all pods, or kubelet and runtime.
func OfNode(group string) bool {
	group = strings.Trim(group, "/")
	if part, _ := SaidByUnit(path.Base(group)); part != "" {
		return true
	}
	return slices.Contains([]string{"", "kubepods", "system", "runtime", "kube", "kubelet", "podruntime"}, strings.TrimSuffix(group, ".slice"))
}
