package collect

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// objects adds the content of one JSON or YAML document.
type objects struct {
	builder *Builder
	doc     document
	items   pipeline
	lines   *searched      // content that is neither from Kubernetes nor from a cloud; nil: none yet
	count   int            // items so far
	list    int            // number of the current list; 0: none
	begun   int            // lists so far
	section *evidence.List // of the current items, in a bundle
	kinds   map[int]string // kinds of list items by list number, if known before the items
	ended   []ended        // lists that were read to their end
	cuts    []cut          // lists that were not read completely
	broken  bool
	full    atomic.Bool // the bound is reached: further items are left out
	ofPath  string      // kind of the objects without a kind, by the path of the document

	// Used only by the goroutine that adds.
	listings    map[int]*listing // by number
	failed      int
	failedIn    map[int]bool // numbers of the lists with an unreadable item
	first       string       // reason for the first of them
	unfit       int          // objects with a field left out
	firstUnfit  string       // the field that the first of them is missing
	dump        bool         // the document is output of kubectl cluster-info dump
	application bool         // the current lines are the log of an application
}

func (b *Builder) newObjects(d document) *objects {
	o := &objects{builder: b, doc: d, listings: map[int]*listing{}, failedIn: map[int]bool{}, kinds: map[int]string{}, ofPath: kindOfDocument(d)}
	o.items.add = o.add
	return o
}

// ended is a list that was read to its end.
type ended struct {
	number int
	kind   string // of its items; empty: unknown
	silent bool   // it shows nothing about the request: a page of a list, a file of a bundle, a list of another tool
	meta   listMeta
}

// put passes on a value.
func (o *objects) put(v value, how item) {
	o.count++
	how.list = o.list
	o.items.put(v.own(how))
}

// enough returns the error that ends reading after that many bytes of the document; nil: reading continues.
func (o *objects) enough(bytes int) error {
	switch {
	case o.full.Load():
		return errFull
	case allowedItems.exceeded(o.count, bytes):
		return errManyItems
	}
	return nil
}

// listBegin records that the next items come from a list, of that kind if it is known.
func (o *objects) listBegin(kind string) {
	o.begun++
	o.list = o.begun
	o.kinds[o.list] = kind
}

// listEnd records a list that was read to its end, or one without items.
func (o *objects) listEnd(kind string, silent bool, meta listMeta) {
	o.count++ // an empty list counts as read
	if o.list == 0 {
		o.listBegin(kind)
	}
	o.ended = append(o.ended, ended{o.list, kind, silent, meta})
	o.list = 0
}

// misfit records that a list has an invalid structure.
func (o *objects) misfit(line int, why string) {
	o.broken = true
	o.cut(fmt.Sprintf("the list at line %d is not as it should be: %s", line, why), "kubectl get KIND -A -o json")
}

// damaged records that part of the document could not be read.
func (o *objects) damaged(line int, err error) {
	if !o.broken {
		why := "cannot be read as objects from line %d on: %s"
		if enough(err) {
			why = "not read from line %d on: %s"
		}
		o.cut(fmt.Sprintf(why, line, jsonError(err)), "")
	}
	o.broken = true
	o.list = 0
}

func (o *objects) tooBig(line int) {
	o.count++
	o.broken = true
	o.cut(fmt.Sprintf("the object at line %d is larger than %d MiB and was left out", line, maxValue>>20), "")
}

// close waits for pending objects and records the result of the whole document.
func (o *objects) close() {
	o.items.close()
	o.endLines()
	switch {
	case o.failed == 1:
		o.lost(o.first)
	case o.failed > 1:
		o.lost(fmt.Sprintf("%d of %d objects cannot be read; the first: %s", o.failed, o.count, o.first))
	}
	for _, c := range o.cuts {
		o.incomplete(o.kindsIn(c), c.why, c.how)
	}
	switch {
	case o.unfit == 1:
		o.builder.Gap(o.doc.name, o.firstUnfit, "")
	case o.unfit > 1:
		o.builder.Gap(o.doc.name, fmt.Sprintf("%d of %d objects have fields that cannot be read; the first: %s", o.unfit, o.count, o.firstUnfit), "")
	}
	if o.broken || o.failed > 0 {
		o.doc.from.damaged = true
		return
	}
	for _, e := range o.ended {
		o.settle(e)
	}
}

// settle records the result of a list that was read to its end.
func (o *objects) settle(e ended) {
	l := o.listings[e.number]
	if l == nil {
		l = &listing{}
	}
	l.source, l.of = o.doc.name, e.kind
	if of := evidence.ObjectOf(e.kind); of != nil && (l.kinds[e.kind] > 0 || !of.Of().Row().Always) {
		o.builder.Cover(of.Of(), evidence.Partial) // even without an item
	}
	l.meta = e.meta
	o.builder.Edit(func(*evidence.Data, *evidence.Templates) {
		if !e.silent {
			o.builder.listings = append(o.builder.listings, l)
		}
		if e.meta.Version != "" || e.meta.more() {
			o.builder.pages = append(o.builder.pages, l)
		}
	})
	if e.kind == "" {
		return
	}
	o.doc.from.listRead(o.doc, e.kind, false)
	if o.dump && e.kind == "Node" {
		o.builder.Cover(evidence.Nodes, evidence.Complete)
	}
}

// add adds one item, in document order.
func (o *objects) add(d decoded) {
	switch {
	case d.err != nil && !d.guessed:
		o.unread(d)
		return
	case d.text:
		o.logs(d.line, d.raw)
		return
	}
	o.lacking(d)
	if d.section != nil {
		o.restore(d)
		return
	}
	o.sawListed(d)
	switch obj := d.obj.(type) {
	case nil:
		o.other(d)
	case *corev1.Namespace:
		o.doc.from.namespaces[obj.Name] = true
		o.builder.Cover(o.builder.AddObject(obj), evidence.Partial)
	default:
		o.object(d)
	}
}

// unread records an item that cannot be decoded.
func (o *objects) unread(d decoded) {
	if d.list != 0 {
		o.failedIn[d.list] = true
	}
	if o.failed++; o.failed == 1 {
		o.first = wording.Cut(fmt.Sprintf("line %d: %v", d.line, d.err), maxEvidence)
	}
	if d.yaml {
		o.search(d.line, d.raw)
	}
}

// object adds an object of a supported kind.
func (o *objects) object(d decoded) {
	if meta, named := d.obj.(metav1.Object); named && meta.GetName() == "" {
		if d.guessed {
			d.kind = "" // most likely not an object
			o.other(d)
			return
		}
		meta.SetName(meta.GetGenerateName()) // a pasted part of an object
	}
	kind, ok := o.builder.addMeasured(d.obj, len(d.raw))
	if !ok {
		o.broken = true
		o.full.Store(true)
		return
	}
	o.builder.Cover(kind, evidence.Partial)
	if d.single {
		o.doc.from.listRead(o.doc, d.kind, true)
	}
}

// lacking records the fields that were left out of an object.
func (o *objects) lacking(d decoded) {
	if len(d.left) == 0 {
		return
	}
	if o.unfit++; o.unfit == 1 {
		o.firstUnfit = wording.Cut(strings.TrimSpace(fmt.Sprintf("line %d: %s %s", d.line, d.kind, nameOf(d.obj)))+": "+leftOut(d.left), maxEvidence)
	}
}

func nameOf(obj any) string {
	if meta, ok := obj.(metav1.Object); ok {
		return meta.GetName()
	}
	return ""
}

// sawListed records an item of a list.
func (o *objects) sawListed(d decoded) {
	if d.list == 0 {
		return
	}
	l := o.listings[d.list]
	if l == nil {
		l = &listing{kinds: map[string]int{}, spaces: map[string]string{}}
		o.listings[d.list] = l
	}
	if d.obj != nil && (nameOf(d.obj) != "" || !d.guessed) {
		l.saw(d.kind, d.obj)
	} else {
		l.count++
	}
}

// restore adds an item of a bundle.
func (o *objects) restore(d decoded) {
	if !o.builder.room(len(d.raw)) {
		o.broken = true
		o.full.Store(true)
		return
	}
	o.builder.Edit(func(e *evidence.Data, t *evidence.Templates) { d.section.Restore(e, t, d.obj) })
	if r, ok := d.obj.(*nodereport.Report); ok {
		o.builder.addQuoted(r)
	}
	if kind := d.section.Kind(); kind.OfAPI() {
		o.builder.Cover(kind, evidence.Partial)
	}
}

// other adds an item that is no Kubernetes object, or is of an unsupported kind.
func (o *objects) other(d decoded) {
	if d.kind == "ConfigMap" {
		o.networkConfig(d)
	}
	if d.apiVersion != "" && d.kind != "" {
		if !o.builder.addNodeReport(o.doc, d.raw) && cloudObject(d.apiVersion, d.kind) {
			o.builder.addCloud(o.doc.name, d.raw)
		}
		return
	}
	if o.refusals(d) || o.answer(d) || o.builder.addCloud(o.doc.name, d.raw) {
		return
	}
	o.searchObject(d)
}

// searchObject searches an unsupported object for signatures, unless its class reports no state.
func (o *objects) searchObject(d decoded) {
	if kind := textclass.OfObject(d.raw); !kind.MayReportState() {
		o.builder.aside(o.doc.name, kind)
		return
	}
	raw, quiet := textclass.WithoutQuietRules(d.raw)
	if quiet {
		o.builder.aside(o.doc.name, textclass.Rules)
	}
	if len(raw) > 0 {
		o.search(d.line, raw)
	}
}

// text passes on lines between objects.
func (o *objects) text(line int, text []byte) {
	o.items.put(item{raw: slices.Clone(text), text: true, line: line})
}

// search searches other content for signatures, at its line of the document.
func (o *objects) search(line int, text []byte) {
	if o.lines == nil {
		o.lines = o.builder.newSearched(o.doc.name, o.doc.kind, placeOf(o.doc.path).subject)
	}
	o.lines.write(line, text)
}

// searched is a text composed of parts of a document; their lines keep their numbers.
type searched struct {
	pipe *io.PipeWriter
	w    *bufio.Writer
	line int // of the next write
	done chan struct{}
}

func (b *Builder) newSearched(name string, of textclass.Kind, subject evidence.Subject) *searched {
	r, w := io.Pipe()
	s := &searched{pipe: w, w: bufio.NewWriterSize(w, sniffSize), line: 1, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		b.scanRaw(name, evidence.TextLog, of, subject, r)
		_, _ = io.Copy(io.Discard, r)
	}()
	return s
}

func (s *searched) write(line int, text []byte) {
	for ; s.line < line; s.line++ {
		_ = s.w.WriteByte('\n')
	}
	_, _ = s.w.Write(text)
	_ = s.w.WriteByte('\n')
	s.line += 1 + bytes.Count(text, []byte{'\n'})
}

func (s *searched) close() {
	_ = s.w.Flush()
	s.pipe.Close()
	<-s.done
}
