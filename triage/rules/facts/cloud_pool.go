package facts

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// PoliciesOf returns the policies that deny changes of the pool or of its machines, and violated policies whose effect was not
// read.
func PoliciesOf(p *triage.Pass, pool *evidence.CloudPool) (deny, perhaps []evidence.Ref) {
	for _, s := range Resources[*evidence.CloudPolicyState](p) {
		switch {
		case s.Pool != "" && !strings.EqualFold(s.Pool, pool.Name) || !unplaced(p, pool) && !liesIn(p, pool, s.Group):
		case s.Denies == evidence.True:
			deny = append(deny, policyRef(s))
		case s.Denies == evidence.Unknown && s.Broken == evidence.True:
			perhaps = append(perhaps, CloudRef(s, "state", LastSegment(s.On)+" violates a policy of assignment "+OrUnknown(s.Assignment)))
		}
	}
	return deny, perhaps
}

func policyRef(s *evidence.CloudPolicyState) evidence.Ref {
	text := "policy assignment " + s.Assignment + " denies " + s.Definition
	if s.On != "" {
		text += " on " + LastSegment(s.On)
	}
	return CloudRef(s, "state", text)
}

// unplaced reports whether the group of a pool is unknown, and no other cluster is in the evidence.
func unplaced(p *triage.Pass, pool *evidence.CloudPool) bool {
	return pool.Group == "" && pool.MachineGroup == "" && len(Resources[*evidence.CloudCluster](p)) < 2 &&
		!slices.ContainsFunc(Resources[*evidence.CloudSet](p), func(set *evidence.CloudSet) bool { return set.Group != "" && strings.EqualFold(set.Pool, pool.Name) })
}

// liesIn reports whether the pool's cluster or its machines are in the group.
func liesIn(p *triage.Pass, pool *evidence.CloudPool, group string) bool {
	begins := pool.MachineGroup != "" && len(group) > len(pool.MachineGroup) && strings.EqualFold(group[:len(pool.MachineGroup)], pool.MachineGroup)
	return group != "" && (begins || strings.EqualFold(group, pool.Group) || slices.ContainsFunc(Resources[*evidence.CloudSet](p), func(set *evidence.CloudSet) bool {
		return strings.EqualFold(set.Pool, pool.Name) && strings.EqualFold(set.Group, group)
	}))
}

// RestrictedSizeOf returns what prevents the subscription from using machines of the pool's size, and whether that was read.
func RestrictedSizeOf(p *triage.Pass, pool *evidence.CloudPool) (proof []evidence.Ref, read bool) {
	for _, s := range Resources[*evidence.CloudSize](p) {
		if !strings.EqualFold(s.Name, pool.Size) {
			continue
		}
		read = true
		if why := s.Restricted(inZones(p, pool)); why != "" {
			proof = append(proof, CloudRef(s, "restrictions", "VM size "+s.Name+" of pool "+pool.Name+" is "+why))
		}
	}
	return proof, read
}

// PerhapsRestrictedOf returns restrictions that apply to machines of the pool's size only if the pool is in the named zones.
func PerhapsRestrictedOf(p *triage.Pass, pool *evidence.CloudPool) (perhaps []evidence.Ref) {
	for _, s := range Resources[*evidence.CloudSize](p) {
		if zones := s.RestrictedZones(inZones(p, pool)); strings.EqualFold(s.Name, pool.Size) && len(zones) > 0 {
			perhaps = append(perhaps, CloudRef(s, "restrictions", "VM size "+s.Name+" is restricted in zone "+strings.Join(zones, ", ")+": "+s.RefusedZonesWhy+", if pool "+pool.Name+" is in that zone"))
		}
	}
	return perhaps
}

// inZones returns the pool from the document that contains its zones, because a table row has none.
func inZones(p *triage.Pass, pool *evidence.CloudPool) *evidence.CloudPool {
	if len(pool.Zones) > 0 {
		return pool
	}
	for _, other := range Resources[*evidence.CloudPool](p) {
		document := other.ID != "" && (len(other.Zones) > 0 || other.Size != "")
		if document && samePool(other, pool) {
			return other
		}
	}
	return pool
}

// samePool reports whether a document is of the pool: by its id, or by its name if the id is unknown.
func samePool(document, pool *evidence.CloudPool) bool {
	return strings.EqualFold(document.Name, pool.Name) && (pool.ID == "" || strings.EqualFold(document.ID, pool.ID))
}
