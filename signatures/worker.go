package signatures

import (
	"slices"

	"github.com/nodetriage/nodetriage/prefilter"
)

// worker searches chunks, one after the other. What it keeps between lines and chunks saves work and changes no answer.
type worker struct {
	sc     *scan
	recent recent
	forms  map[string]form // by the line with zeros for its digits
	hits   []hit
	tried  tried
	out    []lineMatch
	text   prefilter.Text
	form   prefilter.Text
	masked []byte
	skip   map[string]bool // what Skip says, by the line with zeros for its digits
}

// form is what all lines show that differ in digits alone: names, numbers and times of a message that comes again and again.
type form struct {
	sure   []place      // of signatures that do not ask which digits there are
	likely []*Signature // those that do, and may match
}

// place is where a signature matches a line, and what it captures there.
type place struct {
	signature *Signature
	groups    []int
	unless    bool // what the signature is not to have asks for digits: each line is held against it
}

func newWorker(sc *scan) *worker {
	return &worker{sc: sc, recent: recent{}, forms: map[string]form{}, skip: map[string]bool{}}
}

// worker is one that nobody else uses. What lines show depends on their kind alone, so that it may know them from other texts.
func (s *Set) worker(sc *scan) *worker {
	w, _ := s.workers.Get().(*worker)
	if w == nil {
		return newWorker(sc)
	}
	if w.sc.opt.Kind != sc.opt.Kind {
		clear(w.forms)
		clear(w.recent)
	}
	clear(w.skip)
	w.sc = sc
	return w
}

// matches is what the line shows. It is good until the next line.
func (w *worker) matches(line string, hits []hit) []lineMatch {
	w.masked = maskDigits(w.masked[:0], line)
	if known, ok := w.forms[string(w.masked)]; ok && len(known.likely) == 0 && !slices.ContainsFunc(hits, func(h hit) bool { return h.digits }) {
		w.text.Set("")
		w.out = w.found(w.out[:0], known, line)
		return w.out
	}
	return w.recent.matches(line, func() []lineMatch { return w.find(line, hits) })
}

// skips reports whether the line that was searched last reports nothing.
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

// found appends what the sure signatures of its form show on a line.
func (w *worker) found(out []lineMatch, f form, line string) []lineMatch {
	for _, p := range f.sure {
		if p.unless {
			if w.text.String() != line {
				w.text.Set(line)
			}
			if p.signature.not.Match(&w.text) {
				continue
			}
		}
		out = append(out, lineMatch{signature: p.signature, captures: p.signature.captured(line, p.groups)})
	}
	return out
}

// find tries the signatures whose literals the line has.
func (w *worker) find(line string, hits []hit) (out []lineMatch) {
	w.text.Set(line)
	f := w.formOf(line, hits)
	out = w.found(nil, f, line)
	w.tried.begin()
	for _, p := range f.sure {
		w.tried.first(p.signature)
	}
	try := func(sig *Signature) {
		if !sig.mayMatch(&w.text) {
			return
		}
		if captures, ok := sig.match(&w.text); ok {
			out = append(out, lineMatch{signature: sig, captures: captures})
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

// formOf is the form of the line, among the signatures whose literals in it have no digits.
func (w *worker) formOf(line string, hits []hit) form {
	if known, ok := w.forms[string(w.masked)]; ok {
		return known
	}
	w.form.Set(string(w.masked))
	w.tried.begin()
	var f form
	folded := w.form.Folded()
	for _, h := range hits {
		if h.digits {
			continue
		}
		for _, sig := range h.signatures {
			if !w.first(sig) || !sig.form().Pass(&w.form) {
				continue
			}
			digits := sig.digits()
			if len(sig.Differ) > 0 || !digits[0].ignored(folded) {
				f.likely = append(f.likely, sig)
				continue
			}
			if !sig.mayMatch(&w.text) {
				continue
			}
			groups, ok := sig.groupsOfPattern(&w.text)
			alike := sig.not == nil || digits[1].ignored(folded)
			if ok && !(sig.not != nil && alike && sig.not.Match(&w.text)) {
				f.sure = append(f.sure, place{sig, groups, !alike})
			}
		}
	}
	if len(line) <= longestRecent {
		remember(w.forms, w.masked, f)
	}
	return f
}

// first reports whether the signature is for this kind of text, and was not tried on the line before.
func (w *worker) first(sig *Signature) bool {
	return w.tried.first(sig) && sig.AppliesTo(w.sc.opt.Kind)
}

// tried are the signatures that were tried on a line, by their numbers: the line at which each was tried last.
type tried struct {
	line uint32
	last []uint32
}

// begin begins a line.
func (t *tried) begin() {
	if t.line++; t.line == 0 {
		clear(t.last)
		t.line = 1
	}
}

// first reports whether the signature was not tried on the line before. Now it was.
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
