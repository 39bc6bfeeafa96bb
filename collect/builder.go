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

// Builder gathers evidence from any number of sources and makes one Snapshot of it. Its methods are safe for concurrent use.
type Builder struct {
	*gathered
	door door
	turn *turn // of the document that is read ahead; nil: always
}

// gathered is the evidence that a Builder has so far.
type gathered struct {
	mu         sync.Mutex
	data       evidence.Data
	templates  *evidence.Templates
	signatures *signatures.Set
	texts      *bundle.Texts // nil: texts are not kept

	full      int // the bound that size reached, in bytes; 0: none yet
	size      int // estimated memory of the objects and matches of files, in bytes
	gaps      map[evidence.Gap]bool
	more      int                        // gaps beyond the bound
	pasted    []*paste.Text              // added when the time of the evidence is known
	described map[*evidence.Match]string // names of the objects whose descriptions contain the matches
	owners    map[string]string          // nodes by the names of texts, if the path of the text names a node
	inputs    int                        // files, folders and streams
	documents int                        // of clouds
	judged    int                        // cloud documents with an error or of a log
	used      int                        // documents with something to read
	bundle    *evidence.Source
	away      []*nodereport.Report // kept by agents while the API server was away

	reports map[*nodereport.Report]*fromReport // what each report added

	listings []*listing // lists that were read to their end
	pages    []*listing // Kubernetes lists, with the metadata of the list that each is a page of

	unread map[unreadKind][]string // names of texts that report no state

	clockSetBack map[any]clockSetBack // of matches and lines, by their position

	told    bool      // the source reported the time of the evidence
	assumed time.Time // the time of the evidence, if no source reports one
}

// NewBuilder returns a Builder for a Snapshot of that source.
func NewBuilder(source evidence.Source, set *signatures.Set) *Builder {
	return &Builder{
		gathered: &gathered{
			data:         evidence.Data{Source: source, Coverage: map[evidence.Kind]evidence.Coverage{}},
			templates:    evidence.NewTemplates(),
			signatures:   set,
			gaps:         map[evidence.Gap]bool{},
			clockSetBack: map[any]clockSetBack{},
			reports:      map[*nodereport.Report]*fromReport{},
			owners:       map[string]string{},
			described:    map[*evidence.Match]string{},
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

// Edit changes the data under the builder's lock. All evidence is added through it.
func (b *Builder) Edit(add func(*evidence.Data, *evidence.Templates)) {
	b.turn.await()
	b.edit(add)
}

// note is Edit without waiting for the document's turn. Use it if nothing that the document does next depends on the change.
func (b *Builder) note(add func(*evidence.Data, *evidence.Templates)) {
	b.turn.later(func() { b.edit(add) })
}

func (b *Builder) edit(add func(*evidence.Data, *evidence.Templates)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	add(&b.data, b.templates)
}

// maxGaps bounds the gaps that a report lists for unreadable files.
const maxGaps = 500

// Gap records that something could not be read.
func (b *Builder) Gap(what, why string, how shell.Text) { b.Incomplete("", what, why, how) }

// Incomplete records that some objects of a kind were not read, or may not have been. From then on, the absence of an object of
// that kind proves nothing.
func (b *Builder) Incomplete(kind evidence.Kind, what, why string, how shell.Text) {
	g := evidence.Gap{What: b.door.clean(what), Why: wording.Cut(b.door.clean(why), maxEvidence), How: how, Kind: kind}
	b.note(func(*evidence.Data, *evidence.Templates) { b.addGap(g) })
}

// addGap adds a gap unless it exists. The builder's lock is held.
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

// Cover records how much of a kind was read. A smaller coverage never replaces a larger one.
func (b *Builder) Cover(k evidence.Kind, c evidence.Coverage) {
	b.note(func(d *evidence.Data, _ *evidence.Templates) { d.Coverage[k] = max(d.Coverage[k], c) })
}

// TakenAt moves the time of the evidence forward to t. Only the source reports that time; timestamps that nodes wrote do not move
// it.
func (b *Builder) TakenAt(t time.Time) {
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		if t.After(d.TakenAt) {
			d.TakenAt, b.told = t.UTC(), true
		}
	})
}

// Assume sets the time of evidence that reports none: ages count back from it, and dates get its year.
func (b *Builder) Assume(t time.Time) { b.assumed = t.UTC() }

// tellTime sets the time of the evidence: ages in tables count back from it.
func (b *Builder) tellTime() {
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		if d.Zone == 0 { // no bundle reported one
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

// ScanText searches a text for signatures, as a stream. A read error becomes a gap. The kind is one of the text kinds of evidence,
// or empty if unknown.
func (b *Builder) ScanText(name, kind string, subject evidence.Subject, r io.Reader) {
	b.scanRaw(name, kind, textclass.Kind{}, subject, r)
}

// scanRaw is ScanText for a text of a known class.
func (b *Builder) scanRaw(name, textKind string, class textclass.Kind, subject evidence.Subject, r io.Reader) {
	b.scanText(name, textKind, class, subject, b.door.text(withoutEscapes(b.door.bytes(r))))
}

// scanText is ScanText for text that already passed the door.
func (b *Builder) scanText(name, textKind string, class textclass.Kind, subject evidence.Subject, r io.Reader) {
	if b.texts != nil {
		kept := b.texts.Open(bundle.Text{Source: name, TextKind: textKind, Subject: subject, Form: bundle.FormText})
		defer kept.Close()
		r = io.TeeReader(r, kept)
	}
	lines := newLineReader(name, class, subject)
	b.Cover(evidence.Messages, evidence.Partial)
	r = withContinuations(withoutWraps(r))
	if !ofTenant(subject) {
		r = withoutQuotes(r)
	}
	tallies, err := b.signatures.Scan(lines.matched(r), signatures.Options{Kind: textKind, Ref: noYear, Skip: reportsNothing, Others: refusal, Row: rowName})
	lines.finish()
	if err != nil {
		b.Gap(name, "reading stopped: "+readError(err), "")
	}
	var matches []*evidence.Match
	turned, described := map[any]clockSetBack{}, map[*evidence.Match]string{}
	size := 0
	for _, t := range tallies {
		if lines.superseded(t.LastLine) || lines.watched.byName(t.Signature, t.LastLine, cmp.Or(t.LastText, t.Text)) {
			continue
		}
		m := match(t, name, textKind, subject)
		lines.place(m, t, noYear)
		if denied(m, t) {
			continue
		}
		if back, some := lines.tails.matchSetBack(m, cmp.Or(t.LastText, t.Text), noYear); some {
			turned[m] = back
		}
		if name := lines.described(m); name != "" {
			described[m] = name
		}
		size += matchSize(m)
		matches = append(matches, m)
	}
	if of, all := lines.aside(); all {
		b.noteUnread(name, unreadKind{of, true})
	}
	loud := lines.lines(noYear)
	for _, l := range loud {
		size += 300 + len(l.Ref.Text)
		if back, some := lines.tails.clockSetBack(l.Number, l.Ref.Text, l.Speaker, noYear); some {
			turned[l] = back
		}
	}
	if b.room(size) {
		b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
			maps.Copy(b.clockSetBack, turned)
			maps.Copy(b.described, described)
			d.Matches = append(d.Matches, matches...)
			d.Lines = append(d.Lines, loud...)
		})
	}
}

// reportsNothing reports whether the form of a line alone shows that it reports no state.
func reportsNothing(line string) bool { return !textclass.OfLine(line).MayReportState() }

// Time returns the time of the evidence that sources reported so far, or the zero time.
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

// matchSize estimates how many bytes a match takes.
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

// boundAround is wording.Cut, but if that would cut off the text that the signature matches, the result starts shortly before it.
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

// Unreadable returns an error if no input could be read at all: every file is empty, of an unknown kind, or damaged from the
// start. The error names the inputs and the reasons.
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
		list = []string{"no files found (hidden files are skipped)"}
	}
	return fmt.Errorf("read the evidence: %s", strings.Join(list, "; "))
}

// concerned returns the subject of an event. A pasted row without its object still names the node of the kubelet that reported it.
func concerned(e *evidence.Event) evidence.Subject {
	if e.Object.IsZero() && e.Host != "" && logline.Named(e.Component) == logline.Kubelet {
		return evidence.NodeSubject(e.Host)
	}
	return e.Object
}

// nameNode names a node description that was copied without its name, if the texts next to it name only one node.
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
