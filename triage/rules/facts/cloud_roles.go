package facts

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// missingRoles returns the pool subnets on which the cluster's identity has no role. Roles were read if any role of it is known.
func missingRoles(p *triage.Pass) (proof []evidence.Ref, read bool) {
	c, roles := CloudCluster(p), Resources[*evidence.CloudRole](p)
	if c == nil || c.Identity == "" || len(roles) == 0 {
		return nil, false
	}
	for _, pool := range Resources[*evidence.CloudPool](p) {
		proof = append(proof, missingRole(c, c.Identity, roles, pool)...)
		read = read || pool.Subnet != ""
	}
	if len(proof) == 0 && noRole(c.Identity, roles) {
		proof = missingRole(c, c.Identity, roles, &evidence.CloudPool{})
	}
	return proof, read || len(proof) > 0
}

// noRole reports whether the roles of the identity were read and there are none.
func noRole(identity string, roles []*evidence.CloudRole) bool {
	return slices.ContainsFunc(roles, func(r *evidence.CloudRole) bool { return r.None && strings.EqualFold(r.Principal, identity) })
}

// MissingRoleOf returns the missing permission of the cluster on the pool's subnet. If the cluster was not read, the listed roles
// are of the queried identity.
func MissingRoleOf(p *triage.Pass, pool *evidence.CloudPool) []evidence.Ref {
	c, roles := CloudCluster(p), Resources[*evidence.CloudRole](p)
	switch {
	case len(roles) == 0:
		return nil
	case c != nil && c.Identity != "":
		return missingRole(c, c.Identity, roles, pool)
	case slices.ContainsFunc(roles, func(r *evidence.CloudRole) bool {
		return r.Principal == "" || !strings.EqualFold(r.Principal, roles[0].Principal)
	}):
		return nil
	}
	missing := missingRole(roles[0], roles[0].Principal, roles, pool)
	for i := range missing {
		missing[i].Text = "if the cluster's identity is " + roles[0].Principal + ": " + missing[i].Text
	}
	return missing
}

// missingRole returns proof that the identity may change nothing in the pool's subnet.
func missingRole(on evidence.CloudResource, identity string, roles []*evidence.CloudRole, pool *evidence.CloudPool) []evidence.Ref {
	if noRole(identity, roles) {
		return []evidence.Ref{CloudRef(on, "identity", "identity "+identity+" has no role assignment")}
	}
	if pool.Subnet == "" {
		return onlyReads(on, identity, roles, pool)
	}
	if slices.ContainsFunc(roles, func(r *evidence.CloudRole) bool {
		return !r.OnlyReads && strings.EqualFold(r.Principal, identity) && covers(r.Scope, pool.Subnet)
	}) {
		return nil
	}
	text := "identity " + identity + " has no role on subnet " + LastSegment(pool.Subnet)
	if rights := rightsOf(identity, roles); rights != "" {
		text += " with write permission: it has " + rights
	}
	return []evidence.Ref{CloudRef(on, "identity", text)}
}

// onlyReads returns proof that the identity may change nothing, or has only read access where the pool's subnet can be: outside of
// the machines' group.
func onlyReads(on evidence.CloudResource, identity string, roles []*evidence.CloudRole, pool *evidence.CloudPool) []evidence.Ref {
	var looks, changes []*evidence.CloudRole
	for _, r := range roles {
		switch {
		case !strings.EqualFold(r.Principal, identity):
		case r.OnlyReads:
			looks = append(looks, r)
		default:
			changes = append(changes, r)
		}
	}
	if len(looks) == 0 {
		return nil
	}
	if len(changes) == 0 {
		return []evidence.Ref{CloudRef(on, "identity", "identity "+identity+" has no role by which it may change anything: it has "+rightsOf(identity, roles))}
	}
	for _, r := range looks {
		within := func(c *evidence.CloudRole) bool { return covers(c.Scope, r.Scope) }
		group := strings.ToLower(LastSegment(r.Scope))
		if r.Scope == "" || slices.ContainsFunc(changes, within) || pool.MachineGroup != "" && strings.HasPrefix(group, strings.ToLower(pool.MachineGroup)) {
			continue
		}
		return []evidence.Ref{CloudRef(on, "identity", "if the pool's subnet is in "+LastSegment(r.Scope)+": identity "+identity+" has read access only, as "+r.Role)}
	}
	return nil
}

// covers reports whether a permission on the scope includes the resource id.
func covers(scope, id string) bool {
	return strings.HasPrefix(strings.ToLower(id)+"/", strings.ToLower(strings.TrimSuffix(scope, "/"))+"/")
}

// rightsOf returns the read-only roles of the identity as text, or "".
func rightsOf(identity string, roles []*evidence.CloudRole) string {
	var out []string
	for _, r := range roles {
		if r.OnlyReads && strings.EqualFold(r.Principal, identity) {
			out = append(out, r.Role+" on "+LastSegment(r.Scope))
		}
	}
	return wording.Some(out)
}
