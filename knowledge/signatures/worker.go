package signatures

import (
	"slices"

	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// worker searches chunks, one after the other. Its caches save work and do not change a result.
type worker struct {
	sc       *scan
	recent   map[string][]place // by the line with its head masked
	forms    map[string]form    // by the line with zeros for its digits
	hits     []hit
	tried    tried
	out      []lineMatch
	text     prefilter.Text // the line with its head masked
	host     span           // the machine name in the head of the line
	others   span           // words of another writer in the line
	form     prefilter.Text
	masked   []byte
	timeless []byte
	skip     map[string]bool // results of Skip, by the line with zeros for its digits
}

// form is the common result of all lines that differ only in digits: names, numbers and times of a repeated message.
type form struct {
	sure   []place      // of signatures that do not depend on digits
	likely []*Signature // signatures that do, and may match
}

// place is a match of a signature in a line, with its captures.
type place struct {
	signature *Signature
	groups    []int
	unless    bool // the exclusion of the signature depends on digits: each line is checked
}

func newWorker(sc *scan) *worker {
	return &worker{sc: sc, recent: map[string][]place{}, forms: map[string]form{}, skip: map[string]bool{}}
}

// worker returns a worker for exclusive use. Results depend only on the kind of text, so its caches can be from other texts.
func (s *Set) worker(sc *scan) *worker {
	w, _ := s.workers.Get().(*worker)
	if w == nil {
		return newWorker(sc)
	}
	if w.sc.opt.Kind != sc.opt.Kind || (w.sc.opt.Others == nil) != (sc.opt.Others == nil) {
		clear(w.forms)
		clear(w.recent)
	}
	clear(w.skip)
	w.sc = sc
	return w
}

// matches returns the matches of the line, valid until the next line. The head is not searched: any fraction of a second may
// contain a port that a signature excludes, and a machine may have the name of a component.
func (w *worker) matches(line string, hits []hit) []lineMatch {
	w.out = w.out[:0]
	w.masked = maskDigits(w.masked[:0], line)
	if known, ok := w.forms[string(w.masked)]; ok && len(known.likely) == 0 && !slices.ContainsFunc(hits, func(h hit) bool { return h.digits }) {
		if slices.ContainsFunc(known.sure, func(p place) bool { return p.unless }) {
			w.maskHead(line)
			w.text.Set(string(w.timeless))
		}
		return w.found(known.sure, line)
	}
	w.maskHead(line)
	if known, ok := w.recent[string(w.timeless)]; ok {
		return w.found(known, line)
	}
	places := w.find(line, hits)
	if len(line) <= longestRecent {
		remember(w.recent, w.timeless, places)
	}
	return w.found(places, line)
}

// maskHead stores the line without the digits of its time, the name of its machine and the words of others.
func (w *worker) maskHead(line string) {
	w.timeless = maskTimes(w.timeless[:0], line)
	w.host.from, w.host.to = logline.HostIn(line)
	w.host.mask(w.timeless)
	w.others = span{}
	if w.sc.opt.Others != nil {
		w.others.from, w.others.to = w.sc.opt.Others(line)
		w.others.mask(w.timeless)
	}
}

// skips reports whether the last line reports nothing.
func (w *worker) skips(line string) bool {
	if w.sc.opt.Skip == nil {
		return false
	}
	skip, known := w.skip[string(w.masked)]
	if !known {
		skip = w.sc.opt.Skip(line)
		if len(line) <= longestRecent {
			remember(w.skip, w.masked, skip)
		}
	}
	return skip
}

// found returns the matches of a line at those places.
func (w *worker) found(places []place, line string) []lineMatch {
	for _, p := range places {
		if p.unless && p.signature.not.Match(&w.text) {
			continue
		}
		w.out = append(w.out, lineMatch{signature: p.signature, captures: p.signature.captured(line, p.groups)})
	}
	return w.out
}

// find tries the signatures whose literals are in the line.
func (w *worker) find(line string, hits []hit) (out []place) {
	w.text.Set(string(w.timeless))
	f := w.formOf(line, hits)
	w.tried.begin()
	for _, p := range f.sure {
		w.tried.first(p.signature)
		if !p.unless || !p.signature.not.Match(&w.text) {
			out = append(out, place{signature: p.signature, groups: p.groups})
		}
	}
	try := func(sig *Signature) {
		if !sig.mayMatch(&w.text) {
			return
		}
		if groups, ok := sig.groups(&w.text); ok {
			out = append(out, place{signature: sig, groups: groups})
		}
	}
	for _, sig := range f.likely {
		w.tried.first(sig)
		try(sig)
	}
	for _, h := range hits {
		if !h.digits {
			continue
		}
		for _, sig := range h.signatures {
			if w.first(sig) {
				try(sig)
			}
		}
	}
	return out
}

// formOf returns the form of the line, for the signatures whose literals in it have no digits.
func (w *worker) formOf(line string, hits []hit) form {
	if known, ok := w.forms[string(w.masked)]; ok {
		return known
	}
	f := w.newForm(hits)
	if len(line) <= longestRecent {
		remember(w.forms, w.masked, f)
	}
	return f
}

// newForm tries the signatures on the line without its digits, the name of its machine and the words of others.
func (w *worker) newForm(hits []hit) (f form) {
	nameless := slices.Clone(w.masked)
	w.host.mask(nameless)
	w.others.mask(nameless)
	w.form.Set(string(nameless))
	w.tried.begin()
	folded := w.form.Folded()
	for _, h := range hits {
		if h.digits {
			continue
		}
		for _, sig := range h.signatures {
			if w.first(sig) && sig.form().Pass(&w.form) {
				f.add(sig, folded, &w.text)
			}
		}
	}
	return f
}

// add adds a signature that may match lines of the form. If it does not depend on the digits of the folded form, one line decides
// for all of them.
func (f *form) add(sig *Signature, folded []byte, line *prefilter.Text) {
	pattern, exclusion := sig.digits()[0], sig.digits()[1]
	if len(sig.Differ) > 0 || !pattern.ignored(folded) {
		f.likely = append(f.likely, sig)
		return
	}
	if !sig.mayMatch(line) {
		return
	}
	groups, ok := sig.groupsOfPattern(line)
	if !ok {
		return
	}
	unless := sig.not != nil && !exclusion.ignored(folded)
	if excluded := sig.not != nil && !unless && sig.not.Match(line); !excluded {
		f.sure = append(f.sure, place{sig, groups, unless})
	}
}

// first reports whether the signature applies to this kind of text and was not tried on the line before.
func (w *worker) first(sig *Signature) bool {
	return w.tried.first(sig) && sig.AppliesTo(w.sc.opt.Kind)
}

// tried records the line at which each signature was tried last, by number.
type tried struct {
	line uint32
	last []uint32
}

// begin starts a line.
func (t *tried) begin() {
	if t.line++; t.line == 0 {
		clear(t.last)
		t.line = 1
	}
}

// first reports whether the signature was not tried on the line before, and marks it as tried.
func (t *tried) first(sig *Signature) bool {
	if sig.number >= len(t.last) {
		t.last = append(t.last, make([]uint32, sig.number+1-len(t.last))...)
	}
	before := t.last[sig.number]
	t.last[sig.number] = t.line
	return before != t.line
}

// maskDigits appends the line with zeros for its digits.
func maskDigits(out []byte, line string) []byte {
	n := len(out)
	out = append(out, line...)
	for i, c := range out[n:] {
		if isDigit(c) {
			out[n+i] = '0'
		}
	}
	return out
}
