package cloud

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// codeRanks are the causes behind cloud codes, in the order in which they must be fixed: while a lock exists, more quota does not
// help.
var codeRanks = [][]string{
	{"cloud-subscription-disabled"},
	{"cloud-provider-not-registered", "cloud-policy-denied", "cloud-resource-locked"},
	{"cloud-credentials-expired", "cloud-permission-denied"},
	{"cloud-quota-exceeded", "cloud-public-ip-limit", "cloud-capacity-unavailable", "cloud-subnet-full"},
	{"provision-outbound-blocked", "provision-dns-failed", "provision-apiserver-blocked", "registry-unreachable"},
	{"drain-blocked-pdb", "drain-blocked-hook", "drain-blocked-webhook", "drain-blocked-no-capacity", "drain-blocked-unmanaged-pod", "drain-blocked-finalizer"},
	{"cloud-operation-conflict", "cloud-resource-in-use", "cloud-cluster-stopped"},
	{"cloud-api-throttled"},
	{"cloud-service-error", "cloud-vm-failed", "provision-script-failed", "cloud-vm-agent-dead", "cloud-metadata-failure"},
}

// orderCodes ranks the codes if one failed operation, one failed resource or the machines of one scale set have several.
func orderCodes(p *triage.Pass) {
	chains := map[string]bool{}
	for _, a := range p.Snapshot.Data().CloudActivities {
		if !a.Failed() || a.Chain != "" && chains[a.Chain] || p.Snapshot.Overcome(a) {
			continue
		}
		chains[a.Chain] = true
		orderStory(p, p.Snapshot.Failures(a))
	}
	sets := map[string][]evidence.CloudError{}
	for _, one := range p.Snapshot.Data().CloudResources {
		m, machine := one.(*evidence.CloudMachine)
		switch r := one.Item(); {
		case machine:
			of := cmp.Or(m.Set, strings.ToLower(m.ID))
			sets[of] = append(sets[of], m.Errors...)
		case r.Failed():
			order(p, r.Errors)
		}
	}
	for _, of := range facts.SortedKeys(sets) {
		order(p, sets[of])
	}
}

// orderStory ranks errors of inner operations before those of outer ones, and orders errors at the same depth.
func orderStory(p *triage.Pass, story []*evidence.CloudActivity) {
	var levels [3][]evidence.CloudError // the cluster, its pools, everything below them
	for _, a := range story {
		at := min(a.Depth(), len(levels)-1)
		levels[at] = append(levels[at], a.Errors...)
	}
	var above []string
	for _, errors := range levels {
		here := order(p, errors)
		for _, c := range slices.Sorted(maps.Keys(here)) {
			for _, other := range above {
				if !here[other] {
					p.Follows(c, other)
				}
			}
		}
		above = append(above, slices.Sorted(maps.Keys(here))...)
	}
}

// order orders the causes of the errors by rank, and returns them.
func order(p *triage.Pass, errors []evidence.CloudError) map[string]bool {
	causes := causesOf(p, errors)
	var above []string
	for _, rank := range codeRanks {
		var here []string
		for _, c := range rank {
			if causes[c] {
				here = append(here, c)
			}
		}
		for _, first := range above {
			for _, other := range here {
				p.First(first, other)
			}
		}
		above = append(above, here...)
	}
	return causes
}

// causesOf returns the causes whose signatures match the codes and messages of the errors.
func causesOf(p *triage.Pass, errors []evidence.CloudError) map[string]bool {
	causes := map[string]bool{}
	var seen []evidence.CloudError
	for _, e := range errors {
		if e.Target = ""; slices.Contains(seen, e) {
			continue
		}
		seen = append(seen, e)
		for _, line := range []string{fmt.Sprintf("%q: %q", "code", e.Code), e.Message} {
			for _, t := range p.Signatures.Match(line, evidence.TextCloud) {
				if says := t.Signature.Says; p.Catalog.Cause(says) != nil {
					causes[says] = true
				}
			}
		}
	}
	return causes
}
