package signatures

import "github.com/nodetriage/nodetriage/prefilter"

// worker searches chunks, one after the other. What it keeps between lines and chunks saves work and changes no answer.
type worker struct {
	sc     *scan
	recent recent
	forms  map[string][]*Signature // by the form of a line: the signatures that may match one like it
	hits   []hit
	tried  []*Signature
	text   prefilter.Text
	form   prefilter.Text
	masked []byte
}

func newWorker(sc *scan) *worker {
	return &worker{sc: sc, recent: recent{}, forms: map[string][]*Signature{}}
}

// find tries the signatures whose literals the line has.
func (w *worker) find(line string, hits []hit) (out []lineMatch) {
	w.text.Set(line)
	try := func(sig *Signature) {
		if !sig.mayMatch(&w.text) {
			return
		}
		if captures, ok := sig.match(&w.text); ok {
			out = append(out, lineMatch{signature: sig, captures: captures})
		}
	}
	likely := w.likely(line, hits)
	for _, sig := range likely {
		try(sig)
	}
	w.tried = append(w.tried[:0], likely...)
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

// likely returns the signatures that may match the line or one like it, among those whose literals in it have no digits. It is
// the same for all lines that differ in digits alone: names, numbers and times of a message that comes again and again.
func (w *worker) likely(line string, hits []hit) []*Signature {
	w.masked = maskDigits(w.masked[:0], line)
	if known, ok := w.forms[string(w.masked)]; ok {
		return known
	}
	w.form.Set(string(w.masked))
	w.tried = w.tried[:0]
	var likely []*Signature
	for _, h := range hits {
		if h.digits {
			continue
		}
		for _, sig := range h.signatures {
			if w.first(sig) && sig.form().Pass(&w.form) {
				likely = append(likely, sig)
			}
		}
	}
	if len(line) <= longestRecent {
		remember(w.forms, w.masked, likely)
	}
	return likely
}

// first reports whether the signature is for this kind of text, and was not tried on the line before.
func (w *worker) first(sig *Signature) bool {
	if contains(w.tried, sig) || !sig.AppliesTo(w.sc.opt.Kind) {
		return false
	}
	w.tried = append(w.tried, sig)
	return true
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
