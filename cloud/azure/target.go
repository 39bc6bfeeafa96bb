package azure

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// target is the parsed ID of the target of a change.
type target struct {
	id, subscription, group string
	cluster, pool           string
	set, setID, instance    string // of a scale set
	machine                 string // of a standalone VM
}

// parseTarget parses the ID of a managed cluster, an agent pool, a scale set instance or a standalone VM.
func parseTarget(id string) (target, bool) {
	p := strings.Split(strings.Trim(id, "/"), "/")
	is := func(i int, word string) bool { return i < len(p) && strings.EqualFold(p[i], word) }
	if !safeID(id) || len(p) < 8 || !is(2, "resourceGroups") || !is(4, "providers") {
		return target{}, false
	}
	t := target{id: "/" + strings.Join(p, "/"), subscription: p[1], group: p[3]}
	switch {
	case is(5, "Microsoft.ContainerService") && is(6, "managedClusters"):
		t.cluster = p[7]
		if len(p) == 10 && is(8, "agentPools") {
			t.pool = p[9]
			return t, plainName.MatchString(t.pool)
		}
		return t, len(p) == 8
	case is(5, "Microsoft.Compute") && is(6, "virtualMachineScaleSets") && len(p) == 10 && is(8, "virtualMachines"):
		t.set, t.instance, t.setID = p[7], p[9], "/"+strings.Join(p[:8], "/")
		return t, digits(t.instance)
	case is(5, "Microsoft.Compute") && is(6, "virtualMachines") && len(p) == 8:
		t.machine = p[7]
		return t, plainName.MatchString(t.machine)
	}
	return target{}, false
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// named returns the az flags that select a cluster or pool.
func (t target) named() shell.Text {
	if t.pool == "" {
		return shell.Format(" -g {group} -n {cluster}", t.group, t.cluster)
	}
	return shell.Format(" -g {group} --cluster-name {cluster} -n {pool}", t.group, t.cluster, t.pool)
}
