package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// cloudStates are the functions that return what in the cloud state supports a cause, and whether that state was read.
var cloudStates = map[string]func(*triage.Pass) (proof []evidence.Ref, read bool){
	"cloud-quota-exceeded":       fullQuotas,
	"cloud-public-ip-limit":      fullAddressQuotas,
	"cloud-resource-locked":      locks,
	"cloud-resource-missing":     missingDependencies,
	"cloud-permission-denied":    missingRoles,
	"cloud-capacity-unavailable": restrictedSizes,
	"cloud-policy-denied":        denyingPolicies,
	"cloud-credentials-expired":  servicePrincipals,
}

// StateOf returns what in the cloud state supports the cause, and whether that state was read.
func StateOf(p *triage.Pass, cause string) (proof []evidence.Ref, read bool) {
	stateOf, known := cloudStates[cause]
	if !known {
		return nil, false
	}
	return stateOf(p)
}

func fullQuotas(p *triage.Pass) (proof []evidence.Ref, read bool) {
	for _, q := range Resources[*evidence.CloudQuota](p) {
		if q.PublicAddresses {
			continue
		}
		read = read || q.AllCores || q.Family != ""
		if full(q) {
			proof = append(proof, quotaRef(q))
		}
	}
	return proof, read
}

func fullAddressQuotas(p *triage.Pass) (proof []evidence.Ref, read bool) {
	for _, q := range Resources[*evidence.CloudQuota](p) {
		if !q.PublicAddresses {
			continue
		}
		read = true
		if full(q) {
			proof = append(proof, quotaRef(q))
		}
	}
	return proof, read
}

// locks returns the locks and what the service itself denies. Without any of them, it is unknown whether locks were read.
func locks(p *triage.Pass) (proof []evidence.Ref, read bool) {
	for _, l := range Resources[*evidence.CloudLock](p) {
		proof = append(proof, lockRef(l))
	}
	proof = append(proof, Closed(p)...)
	return proof, len(proof) > 0
}

func missingDependencies(p *triage.Pass) (proof []evidence.Ref, read bool) {
	dependencies := Resources[*evidence.CloudDependency](p)
	for _, d := range dependencies {
		if len(d.Errors) > 0 {
			proof = append(proof, CloudRef(d, "existence", "the monitoring workspace "+LastSegment(d.ID)+" does not exist: "+d.Errors[0].Code))
		}
	}
	return proof, len(dependencies) > 0
}

// denyingPolicies returns the policies that deny. They were read if one denies, or if all of them say whether they do.
func denyingPolicies(p *triage.Pass) (proof []evidence.Ref, read bool) {
	states := Resources[*evidence.CloudPolicyState](p)
	for _, s := range states {
		if s.Denies == evidence.True {
			proof = append(proof, policyRef(s))
		}
	}
	unread := slices.ContainsFunc(states, func(s *evidence.CloudPolicyState) bool { return s.Denies == evidence.Unknown })
	return proof, len(proof) > 0 || len(states) > 0 && !unread
}

// servicePrincipals returns the service principals of clusters. Their credentials expire, those of a managed identity do not.
func servicePrincipals(p *triage.Pass) (proof []evidence.Ref, read bool) {
	for _, c := range Resources[*evidence.CloudCluster](p) {
		read = read || c.ActsByAccount != evidence.Unknown
		if c.ActsByAccount == evidence.True {
			proof = append(proof, CloudRef(c, "servicePrincipalProfile", "the cluster uses service principal "+c.Account))
		}
	}
	return proof, read
}

// restrictedSizes returns the pool sizes that the subscription cannot use in the region or in the pool's zones.
func restrictedSizes(p *triage.Pass) (proof []evidence.Ref, read bool) {
	for _, pool := range Resources[*evidence.CloudPool](p) {
		of, known := RestrictedSizeOf(p, pool)
		proof, read = append(proof, of...), read || known
	}
	return proof, read
}

// Closed returns what the service itself denies to all others in the group of its machines.
func Closed(p *triage.Pass) (out []evidence.Ref) {
	for _, d := range Resources[*evidence.CloudDenial](p) {
		out = append(out, CloudRef(d, "scope", "deny assignment "+OrUnknown(d.Rule)+" on "+LastSegment(d.Scope)))
	}
	for _, c := range Resources[*evidence.CloudCluster](p) {
		if level := c.ClosedLevel; c.Closed == evidence.True {
			out = append(out, CloudRef(c, "restrictionLevel", "the node resource group is "+level+" for everyone except AKS"))
		}
	}
	return out
}
