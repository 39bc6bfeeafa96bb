package collect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
)

// listMeta is the metadata of a list (metav1.ListMeta).
type listMeta struct {
	Version   string `json:"resourceVersion"`
	Continue  string `json:"continue"`
	Remaining *int64 `json:"remainingItemCount"`
}

// more reports whether the list is a page with further pages.
func (m listMeta) more() bool { return m.Continue != "" || m.left() != 0 }

// left returns how many objects come after the page; 0: none or unknown.
func (m listMeta) left() int {
	if m.Remaining == nil {
		return 0
	}
	return int(*m.Remaining)
}

// settlePages records the lists with missing pages. All pages of a list have one resourceVersion. The builder's lock is held.
func (b *Builder) settlePages() {
	type key struct{ of, version string }
	lists := map[key][]*listing{}
	var order []key
	for _, l := range b.pages {
		k := key{l.of, l.meta.Version}
		if lists[k] == nil {
			order = append(order, k)
		}
		lists[k] = append(lists[k], l)
	}
	for _, k := range order {
		if pages := lists[k]; slices.ContainsFunc(pages, func(l *listing) bool { return l.meta.more() }) && !wholeList(pages) {
			b.pageMissing(pages)
		}
	}
}

// wholeList reports whether the pages form a complete list: one is the last, and each page is followed by as many objects as it
// reports.
func wholeList(pages []*listing) bool {
	ends := 0
	for _, p := range pages {
		if !p.meta.more() {
			ends++
			continue
		}
		after := 0
		for _, other := range pages {
			if other.meta.left() < p.meta.left() {
				after += other.count
			}
		}
		if p.meta.left() == 0 || after != p.meta.left() {
			return false
		}
	}
	return ends == 1
}

// pageMissing records what is missing of a list, given the pages that were read.
func (b *Builder) pageMissing(pages []*listing) {
	first := slices.MinFunc(pages, func(x, y *listing) int { return cmp.Compare(y.meta.left(), x.meta.left()) })
	last := slices.MinFunc(pages, func(x, y *listing) int { return cmp.Compare(x.meta.left(), y.meta.left()) })
	read := 0
	kinds := map[evidence.Kind]bool{}
	for _, p := range pages {
		read += p.count
		for name := range p.kinds {
			kinds[evidence.ObjectOf(name).Of()] = true
		}
	}
	if of := evidence.ObjectOf(first.of); of != nil {
		kinds[of.Of()] = true
	}
	why := fmt.Sprintf("read in part: %s is a page of a list, %d read", first.source, read)
	if len(pages) > 1 {
		why = fmt.Sprintf("read in part: %s is the first of %d pages of a list, %d read", first.source, len(pages), read)
	}
	if left := last.meta.left(); left > 0 {
		why += fmt.Sprintf(", %d remain", left)
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		b.addGap(evidence.Gap{What: string(k), Why: b.door.clean(why), How: k.Saved(), Kind: k})
	}
}
