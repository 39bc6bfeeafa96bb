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
	p := idParts(strings.Split(strings.Trim(id, "/"), "/"))
	if len(p) < 8 || !safeID(id) || !p.are(2, "resourceGroups", "", "providers") {
		return target{}, false
	}
	t := target{id: "/" + strings.Join(p, "/"), subscription: p[1], group: p[3]}
	switch {
	case p.are(5, "Microsoft.ContainerService", "managedClusters"):
		t.cluster = p[7]
		if len(p) == 10 && p.are(8, "agentPools") {
			t.pool = p[9]
			return t, plainName.MatchString(t.pool)
		}
		return t, len(p) == 8
	case len(p) == 10 && p.are(5, "Microsoft.Compute", "virtualMachineScaleSets", "", "virtualMachines"):
		t.set, t.instance, t.setID = p[7], p[9], "/"+strings.Join(p[:8], "/")
		return t, digits(t.instance)
	case len(p) == 8 && p.are(5, "Microsoft.Compute", "virtualMachines"):
		t.machine = p[7]
		return t, plainName.MatchString(t.machine)
	}
	return target{}, false
}

// idParts are the parts of an ID between slashes.
type idParts []string

// are reports whether the parts from an index have these words. An empty word is any name.
func (p idParts) are(from int, words ...string) bool {
	for i, word := range words {
		if from+i >= len(p) || word != "" && !strings.EqualFold(p[from+i], word) {
			return false
		}
	}
	return true
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// named returns the az flags that select a cluster or pool.
func (t target) named() shell.Text {
	if t.pool == "" {
		return shell.Format(" -g {group} -n {cluster}", t.group, t.cluster)
	}
	return shell.Format(" -g {group} --cluster-name {cluster} -n {pool}", t.group, t.cluster, t.pool)
}
