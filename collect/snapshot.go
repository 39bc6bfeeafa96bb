package collect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
)

// Snapshot makes evidence of everything that was read, and closes the builder. The steps stand in an order in which each finds what
// it needs: the time of the evidence, objects, owners of texts, times of texts, a fixed order, and then the search in objects.
func (b *Builder) Snapshot() *evidence.Snapshot {
	b.tellTime()
	b.placePast()
	b.mu.Lock()
	defer b.mu.Unlock()
	d := &b.data
	b.joinObjects(d)
	b.nameOwners(d)
	b.completeTimes(d)
	b.arrange(d)
	b.searchObjects(d)
	if b.bundle != nil && b.inputs == 1 {
		d.Source = claimed(*b.bundle, d.Source)
	}
	return evidence.New(b.data)
}

// joinObjects adds the objects of tables and merges what several sources show. Ages in tables count back from the time of the
// evidence, so it is known by then; a table may move it forward.
func (b *Builder) joinObjects(d *evidence.Data) {
	slices.SortStableFunc(b.pasted, func(x, y *paste.Text) int { return strings.Compare(x.Name(), y.Name()) })
	for _, t := range b.pasted {
		t.AddTo(d, b.templates)
	}
	if !b.told {
		d.TakenAt = later(d.TakenAt, now(d, nil, nil)) // include the times from tables
	}
	d.DropDoubles()
	d.Events = onceEvents(slices.DeleteFunc(d.Events, (*evidence.Event).Own))
	mergePrinted(d) // after equal events: each record of a source stands for one of another
	b.settleLists()
}

// nameOwners assigns texts, reports and matches to nodes and pods. It needs all objects: they show which names are those of one
// machine. A path names a whole text, a row or a description one match in it, and so they come after it.
func (b *Builder) nameOwners(d *evidence.Data) {
	nameHosts(d, b.owners)
	b.ownReports(d)
	nameRows(d)
	nameDescribed(d, b.described)
}

// completeTimes completes times: dates without a year, clocks that were set back, and the time that a quiet log covers, which depends
// on both and on its owner.
func (b *Builder) completeTimes(d *evidence.Data) {
	giveYears(d)
	b.correctTimes()
	coverSilence(d)
}

// arrange makes the evidence independent of the order in which it was read, and removes secrets last, so that what was cut off or
// joined before is clean too.
func (b *Builder) arrange(d *evidence.Data) {
	linkWebhooks(d)
	slices.SortStableFunc(d.Matches, func(x, y *evidence.Match) int { return strings.Compare(x.Ref.Source, y.Ref.Source) })
	slices.SortStableFunc(d.Lines, func(x, y *evidence.Line) int { return strings.Compare(x.Ref.Source, y.Ref.Source) })
	order(d)
	byText(d.Events, func(e *evidence.Event) []string { // a fixed order for events of the same time
		return []string{e.Object.Kind, e.Object.Namespace, e.Object.Name, e.Reason, e.Message, e.Component, e.Ref.Source, e.Ref.Locator}
	})
	d.Sort()
	if b.door.redactor != nil {
		b.door.redactor.Object(d)
	}
}

// searchObjects makes a node's message about a pod of another node one about itself, drops events in the wrong namespace, and searches the messages of the remaining objects in their fixed
// order. Matches in printed events then become matches of the events.
func (b *Builder) searchObjects(d *evidence.Data) {
	b.keepToNodes()
	dropMisplaced(d)
	b.scanObjects()
	eventRows(d, b.signatures)
	b.tellAside()
	if b.more > 0 {
		d.Gaps = append(d.Gaps, evidence.Gap{What: "further files", Why: fmt.Sprintf("%d more items could not be read", b.more), How: "read them one by one"})
	}
}
