package collect

import (
	"cmp"
	"maps"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// cut is a list that was not read to its end or not completely.
type cut struct {
	number  int            // of the list; 0: the missing objects are in no list
	section *evidence.List // of a bundle
	why     string
	how     shell.Text
}

// foreign is the kind of the items of a list that is not from Kubernetes.
const foreign = "foreign"

// cut records that the current list is incomplete.
func (o *objects) cut(why string, how shell.Text) {
	o.cuts = append(o.cuts, cut{o.list, o.section, why, how})
}

// kindsIn returns the kinds of the missing objects: those of the items before the cut, or of the document. Without either, the
// list may hold any kind.
func (o *objects) kindsIn(c cut) []evidence.Kind {
	if c.section != nil {
		return []evidence.Kind{c.section.Kind()}
	}
	if c.number == 0 {
		return nil
	}
	kinds := map[evidence.Kind]bool{}
	add := func(name string) {
		if of := evidence.ObjectOf(name); of != nil {
			kinds[of.Of()] = true
		}
	}
	l := o.listings[c.number]
	if l != nil {
		for name := range l.kinds {
			add(name)
		}
	}
	if len(kinds) == 0 {
		add(o.kinds[c.number])
		add(o.ofPath)
	}
	if len(kinds) == 0 && l == nil && o.kinds[c.number] == "" {
		return []evidence.Kind{evidence.Everything}
	}
	return slices.Sorted(maps.Keys(kinds))
}

// lost records that items cannot be read.
func (o *objects) lost(why string) {
	kinds := map[evidence.Kind]bool{}
	for number := range o.failedIn {
		for _, k := range o.kindsIn(cut{number: number}) {
			kinds[k] = true
		}
	}
	o.incomplete(slices.Sorted(maps.Keys(kinds)), why, "")
}

// incomplete records the unread part of the document: of the kinds, or of the document itself if there are none.
func (o *objects) incomplete(kinds []evidence.Kind, why string, how shell.Text) {
	if len(kinds) == 0 {
		o.builder.Gap(o.doc.name, why, how)
		return
	}
	for _, k := range kinds {
		o.builder.Incomplete(k, o.doc.name, why, cmp.Or(how, k.Saved()))
	}
}
