package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/rules/facts"
)

// Memory checks the output of free: a node with almost no available memory, and enabled swap.
var Memory = &triage.Rule{
	ID:    "report-memory",
	Doc:   "Reads free, /proc/meminfo and swap devices of the node.",
	Scope: triage.OfNode,
	Needs: []evidence.Kind{evidence.NodeReports},
	Check: func(p *triage.Pass) {
		facts.EachReport(p, func(subject evidence.Subject, r *nodereport.Report) {
			swap := len(r.Swaps) > 0
			if m := r.Memory; m != nil {
				swap = swap || m.SwapTotal != nil && *m.SwapTotal > 0
				ref := facts.ReportRef(r, m.Ref, "memory", "%d MiB of %d MiB available", m.Available>>20, m.Total>>20)
				little := uint64(100 << 20)
				if r.Kubelet != nil {
					t, _ := facts.HardThreshold(r.Kubelet.Settings, "memory.available")
					little = t.Of(m.Total)
				}
				switch {
				case m.Total == 0:
				case m.Available == 0:
					p.Unknown("the available memory of "+facts.TheNode(r.Node), "this version of free does not show it", "grep MemAvailable /proc/meminfo")
				case m.Available < little || facts.Percent(m.Available, m.Total) < 2:
					p.Found(triage.Claim{
						Says: "memory-pressure-oom", Subject: subject, Certainty: triage.Likely, Evidence: []evidence.Ref{ref}, Key: "free",
						Summary: fmt.Sprintf("%d MiB of %d MiB of memory are available", m.Available>>20, m.Total>>20),
					})
				default:
					p.RuleOut("memory-pressure-oom", subject, fmt.Sprintf("%d MiB of %d MiB of memory are available", m.Available>>20, m.Total>>20))
				}
			}
			judgeKernelMemory(p, subject, r)
			if swap {
				ref := facts.ReportRef(r, "", "swap", "%s", strings.Join(r.Swaps, ", "))
				if len(r.Swaps) == 0 {
					ref = facts.ReportRef(r, r.Memory.Ref, "swap", "%d MiB of swap", *r.Memory.SwapTotal>>20)
				}
				if registeredIn(p, r.Source) {
					return // the log of a kubelet that reported it and then started
				}
				p.Found(triage.Claim{
					Says: "swap-enabled", Subject: subject, Certainty: triage.Possible, Evidence: []evidence.Ref{ref},
					Summary: "swap is on; a kubelet with failSwapOn does not start",
				})
			}
		})
	},
}

// registeredIn reports whether the kubelet log in this source shows that the kubelet started after all.
func registeredIn(p *triage.Pass, source string) bool {
	return slices.ContainsFunc(p.Snapshot.MatchesOf("endings-kubelet-registered"), func(m *evidence.Match) bool { return m.Ref.Source == source })
}

// Limits for kernel memory above which it is reported.
const (
	muchKept  = 2 << 30 // bytes
	keptShare = 25      // percent of the memory
)

// judgeKernelMemory checks unreclaimable kernel memory: most of it is charged to no container.
func judgeKernelMemory(p *triage.Pass, subject evidence.Subject, r *nodereport.Report) {
	m := r.Memory
	if m == nil || m.Total == 0 || m.SlabKept < muchKept || facts.Percent(m.SlabKept, m.Total) < keptShare {
		return
	}
	p.Found(triage.Claim{
		Says: "memory-pressure-oom", Subject: subject, Certainty: triage.Possible, Severity: catalog.Warning, Key: "slab",
		Evidence: []evidence.Ref{facts.ReportRef(r, "", "memory", "SUnreclaim %d MiB, largest free block %d KiB", m.SlabKept>>20, m.LargestFree>>10)},
		Summary:  fmt.Sprintf("the kernel uses %d MiB of %d MiB for unreclaimable objects (SUnreclaim)", m.SlabKept>>20, m.Total>>20),
	})
}
