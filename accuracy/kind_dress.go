package accuracy

import "slices"

var dress = kind{
	name: "dress",
	says: "the same evidence in another form, or under other names",
	goal: "the same first answer",
	variants: func(*Case) []string {
		var names []string
		for _, d := range dresses {
			names = append(names, d.name)
		}
		return names
	},
	change: func(p Play) (Files, string) {
		i := slices.IndexFunc(dresses, func(d dressing) bool { return d.name == p.Variant })
		if p.Case.Files.bundled() && dresses[i].texts {
			return nil, "a bundle: its texts are part of it"
		}
		out := dresses[i].wear(p)
		if out == nil || slices.Equal(out, p.Case.Files) {
			return nil, "it holds nothing of the form that changes"
		}
		return resummed(out), ""
	},
	judge: func(p Play, got Answer) Problem { return sameFirst(p.Case, got) },
}

// dressing is another form of the same evidence. It returns nothing if the case contains nothing of that form.
type dressing struct {
	name  string
	texts bool // it changes texts, not objects
	wear  func(Play) Files
}

var dresses = []dressing{
	{"crlf", true, wearCRLF},
	{"ansi", true, wearColour},
	{"pager", true, wearPager},
	{"indent", true, wearIndent},
	{"klog-json", true, wearJSONLog},
	{"journal-short", true, wearJournalShort},
	{"journal-iso", true, wearJournalISO},
	{"journal-verbose", true, wearJournalVerbose},
	{"cri", true, wearCRI},
	{"docker-json", true, wearDocker},
	{"timestamps", true, wearTimestamps},
	{"json-yaml", false, wearOtherSyntax},
	{"split", false, wearSplit},
	{"renamed", false, wearOtherNames},
	{"provider", false, wearOtherProvider},
}
