package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// unseen separates what could not be checked: gaps, which should have been read and were not, and kinds of objects that this
// evidence cannot have, as a pasted log has no pods.
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

// readInPart names the partial kinds that prevent a better verdict; "" if there are none.
func readInPart(kinds []evidence.Kind) string {
	var names []string
	for _, k := range kinds {
		if k == evidence.Everything {
			return "Any kind of object may be missing: not everything could be read."
		}
		names = append(names, k.Word())
	}
	if names == nil {
		return ""
	}
	return "Not read, or read in part: " + strings.Join(names, ", ") + "."
}

// uncheckedSays returns one line for what could not be checked, with the partial kinds; "" if there is nothing.
func uncheckedSays(list []triage.NotChecked, part []evidence.Kind) string {
	gaps, _ := unseen(list)
	if len(gaps) == 0 {
		return ""
	}
	if slices.Contains(part, evidence.Everything) {
		return "Incomplete: " + gapSays(gaps[0])
	}
	out := fmt.Sprintf("Not checked: %d (nodetriage diagnose lists them)", len(gaps))
	if says := readInPart(part); says != "" {
		out = strings.TrimSuffix(says, ".") + ". " + out
	}
	return out
}

var digits = lazyregexp.New(`[0-9.]+`)

// alike joins gaps with the same reason and the same fix, ignoring numbers: fifty unreachable nodes are one gap.
func alike(gaps []triage.NotChecked) []triage.NotChecked {
	return apply(sameGaps(gaps), func(g sharedGap) triage.NotChecked {
		g.What = wording.First(g.whats, 2)
		return g.NotChecked
	})
}

// sharedGap is what was not checked for one reason.
type sharedGap struct {
	triage.NotChecked
	whats []string
}

// sameGaps groups gaps by their reason and their fix.
func sameGaps(gaps []triage.NotChecked) []sharedGap {
	var out []sharedGap
	at := map[string]int{}
	for _, g := range gaps {
		key := digits.ReplaceAllString(g.Why, "") + "\x00" + string(g.How)
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, sharedGap{NotChecked: g})
		}
		out[i].whats = append(out[i].whats, g.What)
	}
	return out
}

// writeNotChecked writes what was not checked, with the commands that read it. source is that of the evidence.
func writeNotChecked(p canvas, source string, gaps []triage.NotChecked) {
	if len(gaps) == 0 {
		return
	}
	p.section("Not checked")
	for _, n := range alike(gaps) {
		p.paragraph(gapIn(source, n))
	}
}

func gapSays(n triage.NotChecked) string { return gapHow(n, "To check: ") }

// gapIn returns a gap of evidence from this source. The output of a command can be added to saved evidence.
func gapIn(source string, n triage.NotChecked) string {
	if strings.HasPrefix(string(n.How), "kubectl get ") && !strings.HasPrefix(source, "cluster ") {
		return gapHow(n, "To check, add the output with -f: ")
	}
	return gapSays(n)
}

// predicate matches a reason whose subject is what was not checked, such as "is empty".
var predicate = lazyregexp.New(`^(?:is|are|was|were|has|have|does|do|can|cannot)\b`)

func gapHow(n triage.NotChecked, label string) string {
	says := ": "
	if predicate.MatchString(n.Why) {
		says = " "
	}
	out := n.What + says + strings.TrimSuffix(n.Why, ".")
	if n.How != "" {
		out += ". " + label + string(n.How)
	}
	return out
}

// important reports whether many rules need the kind.
func important(k evidence.Kind) bool { return k.Row() != nil && k.Row().Rank > 0 }

// lacksImportant reports whether a kind is missing that many rules need.
func lacksImportant(kinds []evidence.Kind) bool { return slices.ContainsFunc(kinds, important) }

// absentSays returns one sentence for all missing kinds. It names n of them, and the most useful next step.
func absentSays(kinds []evidence.Kind, n int) string {
	out := absentNames(kinds, n)
	if get := missingKinds(kinds); get != "" {
		out += "; run nodetriage diagnose on the cluster, or save them and add -f " + moreFile + ": " + string(get)
	}
	return out
}

// notInEvidence begins the names of missing kinds.
const notInEvidence = "not in this evidence: "

// absentNames names n of the missing kinds, the important ones first.
func absentNames(kinds []evidence.Kind, n int) string {
	kinds = byRank(kinds)
	var names []string
	for _, k := range kinds {
		names = append(names, k.Word())
	}
	return notInEvidence + wording.First(names, n)
}

// byRank sorts kinds: the important ones first.
func byRank(kinds []evidence.Kind) []evidence.Kind {
	kinds = slices.Clone(kinds)
	slices.SortStableFunc(kinds, func(a, b evidence.Kind) int {
		switch {
		case important(a) && important(b):
			return cmp.Compare(a.Row().Rank, b.Row().Rank)
		case important(a):
			return -1
		case important(b):
			return 1
		}
		return 0
	})
	return kinds
}

// moreFile is the file in which a person saves what is missing.
const moreFile = "more.yaml"

// missingKinds returns the command that saves the important kinds among these; "" if there are none.
func missingKinds(kinds []evidence.Kind) shell.Text {
	var get []string
	for _, k := range byRank(kinds) {
		if important(k) && k.Resources() == string(k) {
			get = append(get, string(k))
		}
	}
	if len(get) == 0 {
		return ""
	}
	return shell.Format("kubectl get {kinds} -A -o yaml > "+moreFile, strings.Join(get, ","))
}
