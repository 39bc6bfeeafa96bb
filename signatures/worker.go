package signatures

import "github.com/nodetriage/nodetriage/prefilter"

// worker searches chunks, one after the other. What it keeps between lines and chunks saves work and changes no answer.
type worker struct {
	sc     *scan
	recent recent
	plain  map[string][]*Signature // by the form of a line: the plain signatures that may match it
	hits   []hit
	tried  []*Signature
	text   prefilter.Text
	form   []byte
}

func newWorker(sc *scan) *worker {
	return &worker{sc: sc, recent: recent{}, plain: map[string][]*Signature{}}
}

// find tries the signatures whose literals the line has.
func (w *worker) find(line string, hits []hit) (out []lineMatch) {
	w.text.Set(line)
	try := func(sig *Signature) {
		if captures, ok := sig.match(&w.text); ok {
			out = append(out, lineMatch{signature: sig, captures: captures})
		}
	}
	for _, sig := range w.mayMatch(line, hits) {
		try(sig)
	}
	w.tried = w.tried[:0]
	for _, h := range hits {
		for _, sig := range h.numeric {
			if w.first(sig) && sig.mayMatch(&w.text) {
				try(sig)
			}
		}
	}
	return out
}

// mayMatch returns the plain signatures whose guards let the line pass. They ask for no digit, so the answer is the same for
// all lines that differ in digits alone: names, numbers and times of a message that comes again and again.
func (w *worker) mayMatch(line string, hits []hit) []*Signature {
	if len(line) <= longestRecent {
		w.form = maskDigits(w.form[:0], line)
		if known, ok := w.plain[string(w.form)]; ok {
			return known
		}
	}
	var pass []*Signature
	w.tried = w.tried[:0]
	for _, h := range hits {
		for _, sig := range h.plain {
			if w.first(sig) && sig.mayMatch(&w.text) {
				pass = append(pass, sig)
			}
		}
	}
	if len(line) <= longestRecent {
		remember(w.plain, w.form, pass)
	}
	return pass
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
