package collect

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/evidence/redact"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/wording"
)

// Builder gathers evidence from any number of sources and makes one Snapshot of it. Its methods may be
// called concurrently.
type Builder struct {
	*gathered
	door door
	turn *turn // of the document that is read ahead; nil: it is always its turn
}

// gathered is what a Builder has gathered so far.
type gathered struct {
	mu         sync.Mutex
	data       evidence.Data
	templates  *evidence.Templates
	signatures *signatures.Set
	texts      *bundle.Texts // nil: texts are not kept

	full      int // the bound that size met, in bytes; 0: there is room
	size      int // estimate of what the objects and matches of files take, in bytes
	gaps      map[evidence.Gap]bool
	more      int                        // gaps beyond the bound
	pasted    []*paste.Text              // added when the time of the evidence is known
	described map[*evidence.Match]string // the objects in whose descriptions matches stand, by their names
	owners    map[string]string          // nodes by the names of texts, where the path of the text tells
	inputs    int                        // files, folders and streams
	documents int                        // of clouds
	judged    int                        // of them, those with an error or of a log
	used      int                        // documents in which there was something to read
	bundle    *evidence.Source
	away      []*nodereport.Report // kept by agents while the API server was away

	reports map[*nodereport.Report]*fromReport // what each brought

	listings []*listing // lists that were read to their end
	pages    []*listing // those of Kubernetes, with what each says of the list that it is a page of

	unread map[unreadKind][]string // names of texts that report no state

	setBack map[any]setBack // of matches and lines, by where they are

	told    bool      // the source told the time of the evidence
	assumed time.Time // the time of the evidence, where nothing tells it
}

// NewBuilder starts a Snapshot of that source.
func NewBuilder(source evidence.Source, set *signatures.Set) *Builder {
	return &Builder{
		gathered: &gathered{
			data:       evidence.Data{Source: source, Coverage: map[evidence.Kind]evidence.Coverage{}},
			templates:  evidence.NewTemplates(),
			signatures: set,
			gaps:       map[evidence.Gap]bool{},
			setBack:    map[any]setBack{},
			reports:    map[*nodereport.Report]*fromReport{},
			owners:     map[string]string{},
			described:  map[*evidence.Match]string{},
		},
		door: door{redactor: redact.New(false), read: new(atomic.Int64)},
	}
}

// KeepTexts makes the builder keep the texts that it reads from now on; nil keeps none.
func (b *Builder) KeepTexts(t *bundle.Texts) {
	b.texts = t
	if t != nil {
		t.HiddenBy = func() *redact.Redactor { return b.door.redactor }
	}
}

// Edit changes the data under the builder's lock. It is the one door for adding evidence.
func (b *Builder) Edit(add func(*evidence.Data, *evidence.Templates)) {
	b.turn.await()
	b.edit(add)
}

// note is Edit for what nothing depends on that the document does next: it does not wait for the turn of the document.
func (b *Builder) note(add func(*evidence.Data, *evidence.Templates)) {
	b.turn.later(func() { b.edit(add) })
}

func (b *Builder) edit(add func(*evidence.Data, *evidence.Templates)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	add(&b.data, b.templates)
}

// maxGaps bounds what a report says about files that cannot be read.
const maxGaps = 500

// Gap records something that could not be read.
func (b *Builder) Gap(what, why string, how shell.Text) { b.Incomplete("", what, why, how) }

// Incomplete records that objects of a kind exist, or may exist, that were not read. Nothing follows from the absence of such an
// object from now on.
func (b *Builder) Incomplete(kind evidence.Kind, what, why string, how shell.Text) {
	g := evidence.Gap{What: b.door.clean(what), Why: wording.Cut(b.door.clean(why), maxEvidence), How: how, Kind: kind}
	b.note(func(*evidence.Data, *evidence.Templates) { b.addGap(g) })
}

// addGap adds a gap that was not added before. The builder's lock is held.
func (b *Builder) addGap(g evidence.Gap) {
	switch {
	case b.gaps[g]:
	case g.Kind == "" && len(b.data.Gaps) >= maxGaps:
		b.more++
	default:
		b.gaps[g] = true
		b.data.Gaps = append(b.data.Gaps, g)
	}
}

// Cover records how much of a kind was read; a smaller coverage never replaces a larger one.
func (b *Builder) Cover(k evidence.Kind, c evidence.Coverage) {
	b.note(func(d *evidence.Data, _ *evidence.Templates) { d.Coverage[k] = max(d.Coverage[k], c) })
}

// TakenAt moves the time of the evidence forward to t, which its source tells: what nodes wrote does not move it.
func (b *Builder) TakenAt(t time.Time) {
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		if t.After(d.TakenAt) {
			d.TakenAt, b.told = t.UTC(), true
		}
	})
}

// Assume gives the time of evidence that tells none at all: ages count back from it, and dates get its year.
func (b *Builder) Assume(t time.Time) { b.assumed = t.UTC() }

// tellTime settles the time of the evidence: ages in tables count back from it.
func (b *Builder) tellTime() {
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		if d.Zone == 0 { // a bundle told none
			d.Zone = zoneOf(d, b.pasted)
		}
		b.inUTC(d)
		if b.told {
			return
		}
		if d.TakenAt = now(d, b.pasted, b.away); d.TakenAt.IsZero() && !b.assumed.IsZero() {
			d.TakenAt, b.told = b.assumed, true
		}
	})
}

// ScanText searches a text for signatures, as a stream. A read error becomes a gap. The kind is one of the text
// kinds of evidence, or empty if it is not known.
func (b *Builder) ScanText(name, kind string, subject evidence.Subject, r io.Reader) {
	b.scanRaw(name, kind, textclass.Kind{}, subject, r)
}

// scanRaw is ScanText, of a text that is known to be of a kind as a whole.
func (b *Builder) scanRaw(name, kind string, of textclass.Kind, subject evidence.Subject, r io.Reader) {
	b.scanText(name, kind, of, subject, b.door.text(withoutEscapes(b.door.bytes(r))))
}

// scanText is ScanText behind the door.
func (b *Builder) scanText(name, kind string, of textclass.Kind, subject evidence.Subject, r io.Reader) {
	if b.texts != nil {
		kept := b.texts.Open(bundle.Text{Source: name, TextKind: kind, Subject: subject, Form: bundle.FormText})
		defer kept.Close()
		r = io.TeeReader(r, kept)
	}
	lines := newLineReader(name, of, subject)
	b.Cover(evidence.Messages, evidence.Partial)
	r = withoutWraps(r)
	if !ofTenant(subject) {
		r = withoutQuotes(r)
	}
	tallies, err := b.signatures.Scan(lines.matched(r), signatures.Options{Kind: kind, Ref: noYear, Skip: reportsNothing, Others: refusal, Row: rowName})
	lines.finish()
	if err != nil {
		b.Gap(name, "reading stopped: "+readError(err), "")
	}
	var matches []*evidence.Match
	turned, described := map[any]setBack{}, map[*evidence.Match]string{}
	size := 0
	for _, t := range tallies {
		if lines.watched.superseded(t.LastLine) || lines.watched.byName(t.Signature, t.LastLine, cmp.Or(t.LastText, t.Text)) {
			continue
		}
		m := match(t, name, kind, subject)
		lines.place(m, t, noYear)
		if back, some := lines.tails.matchSetBack(m, cmp.Or(t.LastText, t.Text), noYear); some {
			turned[m] = back
		}
		if name := lines.described(m); name != "" {
			described[m] = name
		}
		size += matchSize(m)
		matches = append(matches, m)
	}
	if kind, all := lines.aside(); all {
		b.noteUnread(name, unreadKind{kind, true})
	}
	loud := lines.lines(noYear)
	for _, l := range loud {
		size += 300 + len(l.Ref.Text)
		if back, some := lines.tails.setBack(l.Number, l.Ref.Text, l.Speaker, noYear); some {
			turned[l] = back
		}
	}
	if b.room(size) {
		b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
			maps.Copy(b.setBack, turned)
			maps.Copy(b.described, described)
			d.Matches = append(d.Matches, matches...)
			d.Lines = append(d.Lines, loud...)
		})
	}
}

// reportsNothing reports whether a line is no report of state by its form alone.
func reportsNothing(line string) bool { return !textclass.OfLine(line).Matched() }

// Time is the time of the evidence as far as sources told it; zero: none has.
func (b *Builder) Time() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.TakenAt
}

func match(t signatures.Tally, source, kind string, subject evidence.Subject) *evidence.Match {
	m := &evidence.Match{
		Signature: t.Signature.ID, Kind: kind, Subject: subject, Count: t.Count, First: t.First, Last: t.Last,
		Captures: t.Captures, Context: append(slices.Clone(t.Before), t.After...),
		LastText: wording.Cut(t.LastText, maxEvidence),
		Ref:      evidence.Ref{Source: source, Text: boundAround(t.Text, t.Signature, maxEvidence), ObservedAt: t.Origin.Time, Signature: t.Signature.ID},
	}
	if kind == evidence.TextCloud {
		m.Speaker = logline.Cloud
	}
	if t.Line > 0 {
		m.Ref.Locator = lineLocator(t.Line)
	}
	if m.Subject.IsZero() {
		switch {
		case t.Captures["pod"] != "" && t.Captures["namespace"] != "":
			m.Subject = evidence.PodSubject(t.Captures["namespace"], t.Captures["pod"])
		case t.Captures["pool"] != "":
			m.Subject = evidence.Subject{Kind: "Pool", Name: t.Captures["pool"]}
		case t.Captures["node"] != "":
			m.Subject = evidence.NodeSubject(t.Captures["node"])
		case t.Origin.Host != "":
			m.Subject = evidence.NodeSubject(t.Origin.Host)
		}
	}
	return m
}

func lineLocator(number int) string { return fmt.Sprintf("line %d", number) }

// matchSize is about how many bytes a match takes.
func matchSize(m *evidence.Match) int {
	n := 500 + len(m.Ref.Text)
	for _, c := range m.Context {
		n += 16 + len(c)
	}
	for k, v := range m.Captures {
		n += 64 + len(k) + len(v)
	}
	return n
}

const maxEvidence = 1000 // bytes of a quoted text

// boundAround is wording.Cut, but where that would cut off what the signature recognises, the text begins shortly before it.
func boundAround(s string, sig *signatures.Signature, n int) string {
	if len(s) <= n {
		return wording.Cut(s, n)
	}
	hit := sig.Hit(s)
	at := strings.Index(s, hit)
	if at+len(hit) <= n {
		return wording.Cut(s, n)
	}
	from := max(0, at-n/4)
	for from < at && s[from]&0xC0 == 0x80 {
		from++
	}
	return "..." + wording.Cut(s[from:], n)
}

// Snapshot searches the messages of all objects for signatures and closes the builder.
func (b *Builder) Snapshot() *evidence.Snapshot {
	b.tellTime()
	b.placePast()
	b.mu.Lock()
	defer b.mu.Unlock()
	d := &b.data
	slices.SortStableFunc(b.pasted, func(x, y *paste.Text) int { return strings.Compare(x.Name(), y.Name()) })
	for _, t := range b.pasted {
		t.AddTo(d, b.templates)
	}
	if !b.told {
		d.TakenAt = later(d.TakenAt, now(d, nil, nil)) // with what the tables dated
	}
	d.DropDoubles()
	d.Events = onceEvents(d.Events)
	mergePrinted(d)
	b.settleLists()
	nameHosts(d, b.owners)
	b.ownReports(d)
	nameRows(d)
	nameDescribed(d, b.described)
	giveYears(d)
	b.setRight()
	coverSilence(d)
	linkWebhooks(d)
	slices.SortStableFunc(d.Matches, func(x, y *evidence.Match) int { return strings.Compare(x.Ref.Source, y.Ref.Source) })
	slices.SortStableFunc(d.Lines, func(x, y *evidence.Line) int { return strings.Compare(x.Ref.Source, y.Ref.Source) })
	order(d)
	byText(d.Events, func(e *evidence.Event) []string { // those of one time have an order of their own
		return []string{e.Object.Kind, e.Object.Namespace, e.Object.Name, e.Reason, e.Message, e.Component, e.Ref.Source, e.Ref.Locator}
	})
	d.Sort()
	if b.door.redactor != nil {
		b.door.redactor.Object(d)
	}
	b.keepToNodes()
	dropMisplaced(d)
	b.scanObjects()
	eventRows(d, b.signatures)
	b.tellAside()
	if b.more > 0 {
		d.Gaps = append(d.Gaps, evidence.Gap{What: "further files", Why: fmt.Sprintf("%d more things could not be read", b.more), How: "read them one by one"})
	}
	if b.bundle != nil && b.inputs == 1 {
		d.Source = claimed(*b.bundle, d.Source)
	}
	return evidence.New(b.data)
}

// Unreadable is the error to end with if nothing of what was given could be read at all: every file empty, of a
// kind that is not known, or damaged from the start. It names them and says why.
func (b *Builder) Unreadable() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.inputs == 0 || b.used > 0 {
		return nil
	}
	var list []string
	for _, g := range b.data.Gaps {
		if list = append(list, strings.TrimSpace(g.What+" "+g.Why)); g.How != "" {
			list[len(list)-1] += " (" + string(g.How) + ")"
		}
		if len(list) == 5 {
			break
		}
	}
	if list == nil {
		list = []string{"there is no file in it, but for hidden ones"}
	}
	return fmt.Errorf("read the evidence: %s", strings.Join(list, "; "))
}

// concerned is what an event is about. A row without its object, as people paste it, still names the node of the kubelet that
// made it.
func concerned(e *evidence.Event) evidence.Subject {
	if e.Object.IsZero() && e.Host != "" && logline.Named(e.Component) == logline.Kubelet {
		return evidence.NodeSubject(e.Host)
	}
	return e.Object
}

// nameNode gives the description of a node whose name was not copied the only name of a node in what was saved beside it.
func nameNode(d *evidence.Data) {
	if len(d.Nodes) != 1 || d.Nodes[0].Name != "" {
		return
	}
	name, folder := "", path.Dir(d.Nodes[0].Ref.Source)
	for _, m := range d.Matches {
		switch {
		case m.Subject.Kind != "Node" || m.Subject.Name == "" || m.Subject.Name == name || path.Dir(m.Ref.Source) != folder:
		case name != "":
			return
		default:
			name = m.Subject.Name
		}
	}
	d.Nodes[0].Name = name
}
