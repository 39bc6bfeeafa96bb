package collect

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/nodetriage/nodetriage/collect/layouts"
)

// Bounds of what is read ahead. A larger document is read alone: its memory has bounds of its own.
const (
	aheadDocument = 2 << 20 // bytes of one document
	aheadBytes    = 8 << 20 // of all
	aheadEach     = 4       // documents for each processor: most wait for their turn
	aheadMost     = 32      // documents
)

// ahead reads the documents of a container at the same time. What they add comes in their order, each document in its turn, so that
// the evidence is the same as if they were read one after the other.
type ahead struct {
	c       *container
	most    int           // documents at the same time; 0: each is read before the next
	through chan struct{} // closed when the document that was begun last is through; nil: none was

	mu        sync.Mutex
	less      sync.Cond // a document is through
	documents int
	bytes     int64
}

func (c *container) readAhead() *ahead {
	a := &ahead{c: c}
	a.less.L = &a.mu
	processors := runtime.GOMAXPROCS(0)
	b := c.builder
	if processors > 1 && b.turn == nil && b.texts == nil {
		a.most = min(aheadEach*processors, aheadMost)
	}
	return a
}

// reserve takes the room for a document of so many bytes, as soon as there is some. false: the document is to be read alone, and all
// before it are through.
func (a *ahead) reserve(bytes int64) bool {
	if a.most == 0 || bytes > aheadDocument || a.c.bundle != nil {
		a.wait()
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.documents >= a.most || a.bytes+bytes > aheadBytes {
		a.less.Wait()
	}
	a.documents++
	a.bytes += bytes
	return true
}

func (a *ahead) release(bytes int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.documents--
	a.bytes -= bytes
	a.less.Signal()
}

// begin reads a document for which reserve took the room, as a member of a copy of the container.
func (a *ahead) begin(bytes int64, earlier func() int64, read func(*container)) {
	before, through := a.through, make(chan struct{})
	if before == nil {
		before = make(chan struct{})
		close(before)
	}
	a.through = through
	c := a.c.fork(&turn{before: before}, earlier)
	go func() {
		defer close(through)
		defer a.release(bytes)
		read(c)
		c.builder.turn.await()
		a.c.join(c)
	}()
}

// wait returns when all documents are through.
func (a *ahead) wait() {
	if a.through != nil {
		<-a.through
	}
}

// fork is a copy of the container for a document that is read ahead. earlier is how many bytes of inputs were read before the
// document, once it is its turn.
func (c *container) fork(t *turn, earlier func() int64) *container {
	b := &Builder{gathered: c.builder.gathered, door: c.builder.door, turn: t}
	b.door.read, b.door.earlier = new(atomic.Int64), earlier
	if b.door.redactor != nil {
		b.door.redactor = b.door.redactor.InTurn(t.await)
	}
	return &container{
		builder: b, up: c.up, packing: c.packing, many: c.many, prefix: c.prefix, path: c.path,
		seen: map[*layouts.Layout]bool{}, lists: map[*layouts.Layout]map[listed]bool{}, namespaces: map[string]bool{},
	}
}

// join adds what a copy of the container noted of its document.
func (c *container) join(copied *container) {
	c.builder.door.read.Add(copied.builder.door.read.Load())
	c.damaged = c.damaged || copied.damaged
	c.skipped += copied.skipped
	for l := range copied.seen {
		c.seen[l] = true
	}
	for ns := range copied.namespaces {
		c.namespaces[ns] = true
	}
	for l, lists := range copied.lists {
		for list := range lists {
			c.noteList(l, list)
		}
	}
}

// turn is when a document that is read ahead may change the evidence: when all documents before it are through. nil: always.
type turn struct {
	before <-chan struct{} // closed when they are

	mu    sync.Mutex
	notes []func() // to be done first
}

// await returns when it is the turn of the document.
func (t *turn) await() {
	if t == nil {
		return
	}
	<-t.before
	t.mu.Lock()
	defer t.mu.Unlock()
	t.catchUp()
}

// later does something when it is the turn of the document, behind what was to be done before.
func (t *turn) later(do func()) {
	if t == nil {
		do()
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notes = append(t.notes, do)
	select {
	case <-t.before:
		t.catchUp()
	default:
	}
}

func (t *turn) catchUp() {
	for _, do := range t.notes {
		do()
	}
	t.notes = nil
}
