package facts

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
)

// CountsCoresOf reports whether a quota, by its name, counts the cores of the pool's machines: those of its size, or all of the region.
func CountsCoresOf(pool *evidence.CloudPool, quota string) bool {
	name := strings.ToLower(quota)
	return name == "cores" || strings.Contains(name, "regional") || family(name) != "" && family(name) == family(pool.Size)
}

// LocksOf are the locks that can stop a change of the pool: on its machines or what lies beside them, on its cluster, or on all.
func LocksOf(p *triage.Pass, pool *evidence.CloudPool) []evidence.Ref {
	var out []evidence.Ref
	for _, l := range Resources[*evidence.CloudLock](p) {
		if covers(p, pool, strings.ToLower(l.Scope)) {
			out = append(out, lockRef(l))
		}
	}
	return out
}

// covers reports whether a scope of the cloud, an id or the name of a group, holds the pool or its machines.
func covers(p *triage.Pass, pool *evidence.CloudPool, scope string) bool {
	parts := strings.Split(strings.ToLower(pool.ID), "/") // "", subscriptions, ID, resourcegroups, GROUP, providers, ..., CLUSTER, agentpools, POOL
	if len(parts) < 9 {
		return false
	}
	group, cluster := parts[4], parts[8]
	is := func(name string) bool {
		if name == group || strings.HasPrefix(name, "mc_"+group+"_"+cluster+"_") { // as the service names the group of the machines
			return true
		}
		return slices.ContainsFunc(Resources[*evidence.CloudSet](p), func(set *evidence.CloudSet) bool {
			return strings.EqualFold(set.Pool, pool.Name) && strings.Contains(strings.ToLower(set.ID), "/resourcegroups/"+name+"/")
		})
	}
	at := strings.Split(scope, "/")
	switch {
	case len(at) == 1:
		return scope != "" && is(scope)
	case len(at) < 5: // the subscription
		return len(at) > 2 && at[2] == parts[2]
	}
	return is(at[4])
}

// sizeParts are the letters and the version of a size (Standard_D4s_v5) or of the name of its family (standardDSv5Family, Standard DSv5 Family vCPUs).
var sizeParts = lazyregexp.New(`^(?:standard)?[_ ]?([a-z]+?)\d*(?:-\d+)?([a-z]*?)_?(?:(v\d+))?(?:[_ ]?family.*)?$`)

// family is what a size and its family's quota have in common: dsv5.
func family(name string) string {
	m := sizeParts.FindStringSubmatch(strings.ToLower(name))
	if m == nil {
		return ""
	}
	return m[1] + m[2] + m[3]
}
