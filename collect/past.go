package collect

import (
	"maps"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// placePast assigns each kept report to the earlier reports of its node. If nothing in the evidence is newer, the last one becomes
// the report of the node. The evidence then has the time of that report.
func (b *Builder) placePast() {
	byNode := map[string][]*nodereport.Report{}
	for _, r := range b.away {
		byNode[r.Node] = append(byNode[r.Node], r)
	}
	b.away = nil
	for _, node := range slices.Sorted(maps.Keys(byNode)) {
		reports := byNode[node]
		slices.SortStableFunc(reports, func(x, y *nodereport.Report) int { return x.TakenAt.Compare(y.TakenAt) })
		last := reports[len(reports)-1]
		if !last.TakenAt.Before(b.Time()) {
			reports = reports[:len(reports)-1]
			last.Away = false
			b.AddReport(last)
		}
		if len(reports) == 0 {
			continue
		}
		b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
			now := &nodereport.Report{Node: node, Source: last.Source}
			if i := slices.IndexFunc(d.NodeReports, func(r *nodereport.Report) bool { return r.Node == node && isNodeReport(r) }); i >= 0 {
				now = d.NodeReports[i]
			} else {
				d.NodeReports = append(d.NodeReports, now)
			}
			now.Earlier = append(now.Earlier, reports...)
		})
	}
}
