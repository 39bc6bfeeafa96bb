package signatures

import (
	"bytes"
	"errors"
	"io"
	"sort"
	"strings"
	"time"
)

// Tally is one signature found in a stream: how often, and its first line in full.
type Tally struct {
	Signature *Signature
	Count     int
	Line      int       // number of the first line, from 1
	Text      string    // the first line, at most maxText bytes
	Origin    Origin    // head of the first line
	First     time.Time // zero where the lines carry no time
	Last      time.Time
	Before    []string // a little context
	After     []string
	Captures  map[string]string
}

// Options of a scan.
type Options struct {
	// Kind of text (log, event, ...): signatures that are restricted to others are left out. Empty: all.
	Kind string
	// Ref is a time near the end of the text; it completes dates without a year. Zero: such dates are unknown.
	Ref time.Time
}

// Bounds that keep the memory of a scan independent of the text.
const (
	chunkSize   = 1 << 20 // read and searched at once
	maxText     = 4 << 10 // of a line kept or matched; a longer line is matched around each hit
	contextSize = 2       // lines before and after
	contextText = 300     // bytes of a context line
	maxSubjects = 32      // tallies of one signature with different hosts or captures
)

func (s *Set) find() *finder {
	s.once.Do(func() { s.finder = newFinder(s.list) })
	return s.finder
}

// Scan reads the stream to its end and returns what it shows, in the order of first lines. A read error
// is returned together with what was found before it.
func (s *Set) Scan(r io.Reader, opt Options) ([]Tally, error) {
	sc := scan{set: s, finder: s.find(), opt: opt, tallies: map[key]*Tally{}, subjects: map[*Signature]int{}}
	err := sc.run(r)
	return sc.result(), err
}

// Match returns the signatures that one line shows, with their captures.
func (s *Set) Match(line, kind string) []Tally {
	tallies, _ := s.Scan(strings.NewReader(line), Options{Kind: kind})
	return tallies
}

type key struct {
	signature *Signature
	subject   string
}

type scan struct {
	set      *Set
	finder   *finder
	opt      Options
	tallies  map[key]*Tally
	subjects map[*Signature]int

	line    int      // number of the line that starts at the current position, from 0
	counted int      // up to here the chunk's newlines are in line
	tail    []string // last lines of the previous chunk, for context
	waiting []*Tally // tallies that still want lines after them
}

func (sc *scan) run(r io.Reader) error {
	buf := make([]byte, 0, chunkSize+maxText)
	for {
		n, err := io.ReadFull(r, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		last := err != nil
		cut := len(buf)
		if !last {
			if i := bytes.LastIndexByte(buf, '\n'); i >= 0 {
				cut = i + 1
			}
		}
		sc.chunk(buf[:cut])
		buf = buf[:copy(buf[:cap(buf)], buf[cut:])]
		if last {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil
			}
			return err
		}
	}
}

func (sc *scan) chunk(text []byte) {
	sc.feedWaiting(text)
	sc.counted = 0
	var (
		tried           []*Signature
		lineLo, lineEnd = -1, -1
		line            string
	)
	pos := 0
	for pos < len(text) {
		var hits []*Signature
		start := sc.finder.next(text, pos, func(_ int, e *entry) { hits = append(hits, e.signatures...) })
		if start < 0 {
			break
		}
		if start >= lineEnd {
			lineLo, lineEnd = lineAround(text, start)
			line = unescape(string(text[lineLo:lineEnd]))
			tried = tried[:0]
		}
		for _, sig := range hits {
			if contains(tried, sig) || !sig.AppliesTo(sc.opt.Kind) {
				continue
			}
			tried = append(tried, sig)
			if captures, ok := sig.Match(line); ok {
				sc.count(sig, text, lineLo, lineEnd, line, captures)
			}
		}
		pos = start + 1
	}
	sc.line += bytes.Count(text[sc.counted:], []byte{'\n'})
	sc.tail = lastLines(text, contextSize)
}

func (sc *scan) count(sig *Signature, text []byte, lo, hi int, line string, captures map[string]string) {
	origin := ReadOrigin(line, sc.opt.Ref)
	k := key{sig, origin.Host + "|" + captures["node"] + "|" + captures["namespace"] + "/" + captures["pod"]}
	t := sc.tallies[k]
	if t == nil && sc.subjects[sig] >= maxSubjects {
		k.subject = "" // the rest is counted together
		t = sc.tallies[k]
	}
	if t == nil {
		sc.line += bytes.Count(text[sc.counted:lo], []byte{'\n'})
		sc.counted = lo
		t = &Tally{Signature: sig, Line: sc.line + 1, Text: line, Origin: origin, Captures: captures}
		t.Before = linesBefore(text, lo, sc.tail)
		t.After = linesAfter(text, hi)
		if len(t.After) < contextSize {
			sc.waiting = append(sc.waiting, t)
		}
		sc.tallies[k] = t
		sc.subjects[sig]++
	}
	t.Count++
	if !origin.Time.IsZero() {
		if t.First.IsZero() || origin.Time.Before(t.First) {
			t.First = origin.Time
		}
		if origin.Time.After(t.Last) {
			t.Last = origin.Time
		}
	}
}

// feedWaiting gives tallies of the previous chunk's last lines the lines that follow.
func (sc *scan) feedWaiting(text []byte) {
	for _, t := range sc.waiting {
		for _, l := range linesAfter(text, -1) {
			if len(t.After) < contextSize {
				t.After = append(t.After, l)
			}
		}
	}
	sc.waiting = nil
}

func (sc *scan) result() []Tally {
	out := make([]Tally, 0, len(sc.tallies))
	for _, t := range sc.tallies {
		out = append(out, *t)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Line != out[j].Line {
			return out[i].Line < out[j].Line
		}
		if a, b := out[i].Signature.ID, out[j].Signature.ID; a != b {
			return a < b
		}
		return out[i].Text < out[j].Text
	})
	return out
}

// lineAround returns the bounds of the line that holds pos, cut to maxText around it.
func lineAround(text []byte, pos int) (lo, hi int) {
	lo = bytes.LastIndexByte(text[:pos], '\n') + 1
	hi = len(text)
	if i := bytes.IndexByte(text[pos:min(len(text), pos+maxText)], '\n'); i >= 0 {
		hi = pos + i
	}
	if hi-lo > maxText {
		lo = max(lo, pos-maxText/2)
		hi = min(hi, lo+maxText)
	}
	return lo, hi
}

func linesBefore(text []byte, lo int, tail []string) []string {
	var out []string
	for end := lo - 1; end > 0 && len(out) < contextSize; {
		start := bytes.LastIndexByte(text[:end], '\n') + 1
		out = append([]string{clip(text[start:end])}, out...)
		end = start - 1
	}
	if missing := contextSize - len(out); missing > 0 && len(tail) > 0 {
		out = append(append([]string{}, tail[max(0, len(tail)-missing):]...), out...)
	}
	return out
}

// linesAfter returns the lines behind the newline at hi; hi == -1 starts at the first byte.
func linesAfter(text []byte, hi int) []string {
	var out []string
	for start := hi + 1; start < len(text) && len(out) < contextSize; {
		end := len(text)
		if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i
		}
		out = append(out, clip(text[start:end]))
		start = end + 1
	}
	return out
}

func lastLines(text []byte, n int) []string {
	text = bytes.TrimSuffix(text, []byte{'\n'})
	var out []string
	for end := len(text); end > 0 && len(out) < n; {
		start := bytes.LastIndexByte(text[:end], '\n') + 1
		out = append([]string{clip(text[start:end])}, out...)
		end = start - 1
	}
	return out
}

func clip(line []byte) string {
	return string(line[:min(len(line), contextText)])
}

func contains(list []*Signature, s *Signature) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
