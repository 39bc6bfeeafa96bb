package facts

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// StateOf is what in the cloud's state agrees with the cause, and whether that state was read at all.
func StateOf(p *triage.Pass, cause string) (proof []evidence.Ref, read bool) {
	switch cause {
	case "cloud-quota-exceeded", "cloud-public-ip-limit":
		for _, q := range Resources(p, "quota") {
			if strings.Contains(strings.ToLower(q.Name), "publicipaddresses") != (cause == "cloud-public-ip-limit") {
				continue
			}
			read = true
			used, err1 := strconv.Atoi(q.Properties["currentValue"])
			limit, err2 := strconv.Atoi(q.Properties["limit"])
			if err1 == nil && err2 == nil && limit > 0 && used*10 >= limit*9 { // what is asked for is more than one
				proof = append(proof, CloudRef(q, "usage", fmt.Sprintf("quota %s: %d of %d used", q.Name, used, limit)))
			}
		}
	case "cloud-resource-locked":
		for _, l := range Resources(p, "lock") {
			proof = append(proof, CloudRef(l, "level", fmt.Sprintf("lock %s (%s) on %s", l.Name, OrUnknown(l.Properties["level"]), lockedScope(l))))
		}
		for _, d := range Resources(p, "deny-assignment") {
			proof = append(proof, CloudRef(d, "scope", "deny assignment "+OrUnknown(d.Properties["denyAssignmentName"])+" on "+LastSegment(d.Properties["scope"])))
		}
		for _, c := range Resources(p, "cluster") {
			if level := c.Properties["restrictionLevel"]; strings.EqualFold(level, "ReadOnly") {
				proof = append(proof, CloudRef(c, "restrictionLevel", "the node resource group is "+level+" for everybody but AKS"))
			}
		}
		return proof, len(proof) > 0
	case "cloud-resource-missing":
		for _, w := range Resources(p, "workspace") {
			read = true
			if len(w.Errors) > 0 {
				proof = append(proof, CloudRef(w, "existence", "the monitoring workspace "+LastSegment(w.ID)+" does not exist: "+w.Errors[0].Code))
			}
		}
	case "cloud-permission-denied":
		return missingRoles(p)
	case "cloud-capacity-unavailable":
		return restrictedSizes(p)
	case "cloud-policy-denied":
		for _, s := range Resources(p, "policy") {
			read = true
			if strings.EqualFold(s.Properties["policyDefinitionAction"], "deny") && strings.EqualFold(s.Properties["complianceState"], "NonCompliant") {
				proof = append(proof, CloudRef(s, "state", "policy assignment "+s.Properties["policyAssignmentName"]+" denies "+s.Properties["policyDefinitionName"]))
			}
		}
	case "cloud-credentials-expired":
		for _, c := range Resources(p, "cluster") {
			if id := c.Properties["clientId"]; id != "" {
				read = true
				if !strings.EqualFold(id, "msi") {
					proof = append(proof, CloudRef(c, "servicePrincipalProfile", "the cluster uses service principal "+id))
				}
			}
		}
	}
	return proof, read
}

// missingRoles are the pools' subnets on which the cluster's identity has no role. Roles were read if any of it is known.
func missingRoles(p *triage.Pass) (proof []evidence.Ref, read bool) {
	c, roles := CloudCluster(p), Resources(p, "role-assignment")
	if c == nil || c.Properties["identity"] == "" || len(roles) == 0 {
		return nil, false
	}
	for _, pool := range Resources(p, "pool") {
		subnet := strings.ToLower(pool.Properties["vnetSubnetID"])
		if subnet == "" {
			continue
		}
		has := slices.ContainsFunc(roles, func(r *evidence.CloudResource) bool {
			scope := strings.ToLower(strings.TrimSuffix(r.Properties["scope"], "/"))
			return strings.EqualFold(r.Properties["principalId"], c.Properties["identity"]) && strings.HasPrefix(subnet+"/", scope+"/")
		})
		if !has {
			proof = append(proof, CloudRef(c, "identity", "identity "+c.Properties["identity"]+" has no role on subnet "+LastSegment(pool.Properties["vnetSubnetID"])))
		}
	}
	return proof, true
}

// restrictedSizes are the sizes of pools that the subscription cannot have in the region, or not in the pool's zones.
func restrictedSizes(p *triage.Pass) (proof []evidence.Ref, read bool) {
	for _, pool := range Resources(p, "pool") {
		for _, s := range Resources(p, "sku") {
			if !strings.EqualFold(s.Name, pool.Properties["vmSize"]) {
				continue
			}
			read = true
			if why := s.Restricted(pool); why != "" {
				proof = append(proof, CloudRef(s, "restrictions", "size "+s.Name+" of pool "+pool.Name+" is "+why))
			}
		}
	}
	return proof, read
}

// lockedScope is what a lock lies on.
func lockedScope(l *evidence.CloudResource) string {
	scope, _, _ := strings.Cut(l.ID, "/providers/Microsoft.Authorization/")
	if scope == "" { // a table of az says the group
		scope = l.Properties["scope"]
	}
	return OrUnknown(LastSegment(scope))
}
