package signatures

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// Tally is one signature in a stream: how often it matches, and its first line in full.
type Tally struct {
	Signature *Signature
	Count     int
	Line      int            // number of the first line, from 1
	LastLine  int            // number of the last one
	Text      string         // the first line, up to maxText bytes
	LastText  string         // the last one, if Count is above 1
	Origin    logline.Origin // head of the first line
	First     time.Time      // zero if the lines have no time
	Last      time.Time
	Before    []string // a little context
	After     []string
	Captures  map[string]string
}

// Options of a scan.
type Options struct {
	// Kind of text (log, event, ...). Signatures for other kinds are skipped. Empty: all.
	Kind string
	// Ref is a time near the end of the text; it completes dates without a year. Zero: such dates are unknown.
	Ref time.Time
	// Skip reports whether a line, by its form, reports nothing although a signature matches. Nil: all lines count. Several
	// goroutines call it, and it must not depend on the digits of a line.
	Skip func(line string) bool
	// Others returns the bounds of another writer's words in a line, in which no signature matches; 0, 0: none. Nil: no line
	// has any. Several goroutines call it, and it must not depend on the digits of a line.
	Others func(line string) (from, to int)
	// Row returns the object of a line that is a row of a table; empty: none. Rows of different objects are counted separately.
	// Nil: no line is a row.
	Row func(line string) string
}

// Limits that keep the memory of a scan independent of the text.
const (
	chunkSize   = 256 << 10 // read and searched at once
	maxText     = 4 << 10   // of a line kept or matched; a longer line is matched around each hit
	contextSize = 2         // lines before and after
	contextText = 300       // bytes of a context line
	headText    = 300       // bytes of the head of a long line
	maxSubjects = 32        // tallies of one signature with different hosts or captures
)

func (s *Set) find() *finder {
	s.once.Do(func() { s.finder = newFinder(s.list) })
	return s.finder
}

// Scan reads the stream to its end and returns the matches, in the order of first lines. It returns a read error together with
// earlier matches.
//
// The text is read in chunks of whole lines, searched on all processors, and counted in order.
func (s *Set) Scan(r io.Reader, opt Options) ([]Tally, error) {
	sc := &scan{finder: s.find(), opt: opt}
	sum := newSum(opt)
	workers := runtime.GOMAXPROCS(0)
	free := make(chan []byte, workers+1)
	for range cap(free) {
		free <- nil // allocated when first used: most texts are small
	}
	jobs := make(chan *job, workers)
	order := make(chan *job, workers+1)
	var done sync.WaitGroup
	for range workers {
		done.Go(func() {
			var w *worker // most texts are one chunk, and need one worker
			for j := range jobs {
				if w == nil {
					w = s.worker(sc)
				}
				j.found = w.chunk(j)
				close(j.ready)
			}
			if w != nil {
				s.workers.Put(w)
			}
		})
	}
	done.Go(func() {
		for j := range order {
			<-j.ready
			sum.add(j)
			free <- j.buf
		}
	})
	err := cut(r, free, func(buf []byte, n int) {
		j := &job{buf: buf, text: buf[:n], ready: make(chan struct{})}
		order <- j
		jobs <- j
	})
	close(jobs)
	close(order)
	done.Wait()
	for range cap(free) {
		if buf := <-free; buf != nil {
			chunks.Put(&buf)
		}
	}
	return sum.result(), err
}

// chunks are buffers of chunkSize. They are pooled, because a folder may contain many small texts.
var chunks = sync.Pool{New: func() any {
	buf := make([]byte, chunkSize)
	return &buf
}}

// Match returns the signatures that match one line, with their captures.
func (s *Set) Match(line, kind string) []Tally { return s.Matcher(kind).Match(line) }

// Matcher matches lines one by one, with a cache, because lines of objects are similar. It is not safe for concurrent use.
type Matcher struct{ worker *worker }

// Matcher returns a Matcher for texts of that kind.
func (s *Set) Matcher(kind string) *Matcher {
	return &Matcher{newWorker(&scan{finder: s.find(), opt: Options{Kind: kind}})}
}

// Match returns the signatures that match one line, with their captures.
func (m *Matcher) Match(line string) []Tally {
	sum := newSum(m.worker.sc.opt)
	j := &job{text: []byte(line)}
	j.found = m.worker.chunk(j)
	sum.add(j)
	return sum.result()
}

// cut reads chunks that end at a line end. It cuts a line that is longer than a chunk.
func cut(r io.Reader, free <-chan []byte, use func(buf []byte, n int)) error {
	var rest []byte
	for {
		buf := <-free
		if buf == nil {
			buf = *chunks.Get().(*[]byte)
		}
		n := copy(buf, rest)
		m, err := io.ReadFull(r, buf[n:])
		n += m
		end := n
		if err == nil {
			if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
				end = i + 1
			}
		}
		rest = append(rest[:0], buf[end:n]...)
		use(buf, end)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// job is one chunk and its matches.
type job struct {
	buf, text []byte
	found     found
	ready     chan struct{}
}

type found struct {
	lines   int // newlines in the chunk
	matches []lineMatch
	tail    []string // last lines, context of the next chunk
}

// lineMatch is one signature on one line of a chunk.
type lineMatch struct {
	signature *Signature
	lo, hi    int // the line's bounds in the chunk
	line      int // newlines before it in the chunk
	text      string
	head      string // the start of the line, before the text; empty: the text is the whole line
	captures  map[string]string
}

type scan struct {
	finder *finder
	opt    Options
}

// chunk searches one chunk.
func (w *worker) chunk(j *job) found {
	var (
		out         found
		text        = j.text
		counted, at int
	)
	w.hits = w.sc.finder.find(text, w.hits[:0])
	hits := w.hits
	for len(hits) > 0 {
		lo, hi := lineAround(text, hits[0].start)
		n := 1
		for n < len(hits) && hits[n].start < hi {
			n++
		}
		at += bytes.Count(text[counted:lo], []byte{'\n'})
		counted = lo
		line := unescape(string(bytes.TrimSuffix(text[lo:hi], []byte{'\r'})))
		matches := w.matches(line, hits[:n])
		if len(matches) > 0 && w.skips(line) {
			matches = nil
		}
		for _, m := range matches {
			m.lo, m.hi, m.line, m.text, m.head = lo, hi, at, line, headOf(text, lo)
			out.matches = append(out.matches, m)
		}
		hits = hits[n:]
	}
	out.lines = at + bytes.Count(text[counted:], []byte{'\n'})
	out.tail = lastLines(text, contextSize)
	return out
}

// sum counts the matches of all chunks, in order.
type sum struct {
	opt      Options
	tallies  map[key]*Tally
	subjects map[*Signature]int
	lines    int      // before the current chunk
	tail     []string // last lines of the previous chunk
	waiting  []*Tally // tallies that still need lines after them
}

// key distinguishes the tallies of one signature: by host and by the names in its captures.
type key struct {
	signature *Signature
	subject   string
}

func newSum(opt Options) *sum {
	return &sum{opt: opt, tallies: map[key]*Tally{}, subjects: map[*Signature]int{}}
}

func (s *sum) add(j *job) {
	for _, t := range s.waiting {
		t.After = append(t.After, linesAfter(j.text, -1)...)
		t.After = t.After[:min(len(t.After), contextSize)]
	}
	s.waiting = s.waiting[:0]
	for _, m := range j.found.matches {
		s.count(j.text, m)
	}
	s.lines += j.found.lines
	s.tail = j.found.tail
}

func (s *sum) count(text []byte, m lineMatch) {
	origin := logline.ReadOrigin(cmp.Or(m.head, m.text), s.opt.Ref)
	k := key{m.signature, origin.Host + "|" + m.captures["node"] + "|" + m.captures["namespace"] + "/" + m.captures["pod"]}
	if s.opt.Row != nil {
		k.subject += "|" + s.opt.Row(m.text)
	}
	t := s.tallies[k]
	if t == nil && s.subjects[m.signature] >= maxSubjects {
		k.subject = "" // the rest is counted together
		t = s.tallies[k]
	}
	if t == nil {
		t = &Tally{
			Signature: m.signature, Line: s.lines + m.line + 1, Text: m.text, Origin: origin, Captures: maps.Clone(m.captures), // similar lines share them
			Before: linesBefore(text, m.lo, s.tail), After: linesAfter(text, m.hi),
		}
		if len(t.After) < contextSize {
			s.waiting = append(s.waiting, t)
		}
		s.tallies[k] = t
		s.subjects[m.signature]++
	}
	t.LastLine = s.lines + m.line + 1
	if t.Count++; t.Count > 1 {
		t.LastText = m.text
		t.learn(m.captures)
	}
	if !origin.Time.IsZero() {
		if t.First.IsZero() || origin.Time.Before(t.First) {
			t.First = origin.Time
		}
		if origin.Time.After(t.Last) {
			t.Last = origin.Time
		}
	}
}

// learn adds captures of a later line that the first line does not have. The message is more specific than the code before it.
func (t *Tally) learn(captures map[string]string) {
	for name, value := range captures {
		if t.Captures == nil {
			t.Captures = map[string]string{}
		}
		if t.Captures[name] == "" {
			t.Captures[name] = value
		}
	}
}

func (s *sum) result() []Tally {
	out := make([]Tally, 0, len(s.tallies))
	for _, t := range s.tallies {
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

// headOf returns the head of a line that begins before lo, because the text around a hit in a long line has no time.
func headOf(text []byte, lo int) string {
	if lo == 0 || text[lo-1] == '\n' {
		return ""
	}
	start := bytes.LastIndexByte(text[:lo], '\n') + 1
	return string(text[start:min(lo, start+headText)])
}

// lineAround returns the bounds of the line that contains pos, cut to maxText around it.
func lineAround(text []byte, pos int) (lo, hi int) {
	lo = bytes.LastIndexByte(text[max(0, pos-maxText):pos], '\n') + 1 + max(0, pos-maxText)
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
	out := lastLines(text[:max(lo, 0)], contextSize)
	if missing := contextSize - len(out); missing > 0 && len(tail) > 0 {
		out = append(append([]string{}, tail[max(0, len(tail)-missing):]...), out...)
	}
	return out
}

// linesAfter returns the lines after the newline at hi. hi == -1 starts at the first byte.
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
	return strings.TrimSuffix(string(line[:min(len(line), contextText)]), "\r")
}
