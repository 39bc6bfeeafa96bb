package report

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// unseen parts what could not be checked: gaps, where something should have been read and was not, and
// kinds of objects that this evidence has none of, as a pasted log has no pods.
func unseen(list []triage.NotChecked) (gaps []triage.NotChecked, absent []evidence.Kind) {
	for _, n := range list {
		if n.Kind != "" {
			absent = append(absent, n.Kind)
		} else {
			gaps = append(gaps, n)
		}
	}
	return alike(gaps), absent
}

var digits = lazyregexp.New(`[0-9.]+`)

// alike joins gaps with the same reason and the same way out, numbers aside: fifty nodes that cannot be asked
// are one gap.
func alike(gaps []triage.NotChecked) []triage.NotChecked {
	var out []triage.NotChecked
	whats := map[int][]string{}
	at := map[string]int{}
	for _, g := range gaps {
		key := digits.ReplaceAllString(g.Why, "") + "\x00" + g.How
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, g)
		}
		whats[i] = append(whats[i], g.What)
	}
	for i := range out {
		out[i].What = wording.First(whats[i], 2)
	}
	return out
}

func gapSays(n triage.NotChecked) string {
	out := n.What + ": " + strings.TrimSuffix(n.Why, ".")
	if n.How != "" {
		out += "; to see it: " + n.How
	}
	return out
}

// plain are the names that people use for kinds.
var plain = map[evidence.Kind]string{
	evidence.PDBs:              "disruption budgets",
	evidence.Claims:            "volume claims",
	evidence.Volumes:           "volumes",
	evidence.VolumeAttachments: "volume attachments",
	evidence.CSINodes:          "CSI nodes",
	evidence.PriorityClasses:   "priority classes",
	evidence.StorageClasses:    "storage classes",
	evidence.CSIDrivers:        "CSI drivers",
	evidence.StorageCapacities: "storage capacities",
	evidence.CSRs:              "certificate requests",
	evidence.Webhooks:          "webhooks",
	evidence.Policies:          "admission policies",
	evidence.Mutations:         "mutating admission policies",
	evidence.Endpoints:         "endpoints",
	evidence.NodeMetrics:       "node metrics",
}

// important kinds come first: with these most rules can run.
var important = []evidence.Kind{evidence.Nodes, evidence.Pods, evidence.Events, evidence.Leases, evidence.Workloads}

// lacksImportant tells whether a kind is absent without which many rules cannot run.
func lacksImportant(kinds []evidence.Kind) bool {
	return slices.ContainsFunc(kinds, func(k evidence.Kind) bool { return slices.Contains(important, k) })
}

// absentSays is one sentence for all kinds that the evidence has none of, naming n of them, and the next
// step that brings most.
func absentSays(kinds []evidence.Kind, n int) string {
	missing := map[evidence.Kind]bool{}
	for _, k := range kinds {
		missing[k] = true
	}
	var names, get []string
	for _, k := range important {
		if missing[k] {
			names = append(names, string(k))
			if k != evidence.Workloads {
				get = append(get, string(k))
			}
			delete(missing, k)
		}
	}
	for _, k := range kinds {
		if missing[k] {
			names = append(names, kindName(k))
		}
	}
	out := "this evidence has no " + wording.First(names, n)
	if len(get) == 0 {
		return out
	}
	return out + "; run nodetriage diagnose on the cluster, or add kubectl get " + strings.Join(get, ",") + " -A -o yaml"
}

func kindName(k evidence.Kind) string {
	if name := plain[k]; name != "" {
		return name
	}
	return string(k)
}
