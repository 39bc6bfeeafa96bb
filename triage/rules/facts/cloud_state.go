package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// StateOf returns what in the cloud state supports the cause, and whether that state was read.
func StateOf(p *triage.Pass, cause string) (proof []evidence.Ref, read bool) {
	switch cause {
	case "cloud-quota-exceeded", "cloud-public-ip-limit":
		for _, q := range Resources[*evidence.CloudQuota](p) {
			if q.PublicAddresses != (cause == "cloud-public-ip-limit") {
				continue
			}
			read = read || q.PublicAddresses || q.AllCores || q.Family != ""
			if full(q) {
				proof = append(proof, quotaRef(q))
			}
		}
	case "cloud-resource-locked":
		for _, l := range Resources[*evidence.CloudLock](p) {
			proof = append(proof, lockRef(l))
		}
		proof = append(proof, Closed(p)...)
		return proof, len(proof) > 0
	case "cloud-resource-missing":
		for _, w := range Resources[*evidence.CloudDependency](p) {
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
		states := Resources[*evidence.CloudPolicyState](p)
		for _, s := range states {
			if s.Denies == evidence.True {
				proof = append(proof, policyRef(s))
			}
		}
		unread := slices.ContainsFunc(states, func(s *evidence.CloudPolicyState) bool { return s.Denies == evidence.Unknown })
		read = len(proof) > 0 || len(states) > 0 && !unread
	case "cloud-credentials-expired":
		for _, c := range Resources[*evidence.CloudCluster](p) {
			if c.ActsByAccount != evidence.Unknown {
				read = true
			}
			if c.ActsByAccount == evidence.True {
				proof = append(proof, CloudRef(c, "servicePrincipalProfile", "the cluster uses service principal "+c.Account))
			}
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
