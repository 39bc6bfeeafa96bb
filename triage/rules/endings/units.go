package endings

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/triage"
)

// unitOf returns a unit of the failure's node that started after the failure and suits, and its report; nil: none.
func unitOf(p *triage.Pass, f *triage.Failure, suits func(nodereport.Unit, *nodereport.Report) bool) (*nodereport.Unit, *nodereport.Report) {
	for _, r := range p.Snapshot.Reports(f.Node) {
		i := slices.IndexFunc(r.Units, func(u nodereport.Unit) bool { return u.Since.After(f.Last) && suits(u, r) })
		if i >= 0 {
			return &r.Units[i], r
		}
	}
	return nil, nil
}
