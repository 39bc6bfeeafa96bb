package endings

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/triage/timeline"
)

// ModuleWorks resolves a missing kernel module that was loaded since or is built into the kernel. modprobe does not find a built-in
// module if the kernel's module folder is missing.
var ModuleWorks = &triage.Ending{
	ID:     "module-works",
	Doc:    "A later report of the node contains the kernel module, or it is built into the kernel.",
	OfNode: true,
	Reads:  []evidence.Kind{evidence.NodeReports},
	Ended: func(p *triage.Pass, f *triage.Failure) (triage.End, bool) {
		found := moduleNotFound.FindStringSubmatch(timeline.LastText(f.Match))
		if found == nil {
			return triage.End{}, false
		}
		name := strings.ReplaceAll(found[1]+found[2], "-", "_") // one of the two is empty
		for _, r := range p.Snapshot.Reports(f.Node) {
			i := slices.IndexFunc(r.Needs, func(n nodereport.Need) bool { return n.Kind == "module" && n.Name == name && n.State == "ok" })
			if i < 0 {
				continue
			}
			since := f.Last.IsZero() || !r.TakenAt.Before(f.Last)
			if since || strings.HasSuffix(r.Needs[i].Ref, "is built in") {
				return triage.End{By: r.Needs[i].Ref, At: r.TakenAt}, true
			}
		}
		return triage.End{}, false
	},
}

// moduleNotFound matches the message of modprobe for a module without a file, even if it is built into the kernel (kmod
// tools/modprobe.c).
var moduleNotFound = lazyregexp.New(`Module ([\w-]{2,60}) not found|Failed to find module '?([\w-]{2,60})`)
