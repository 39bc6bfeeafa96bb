package collect

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/nodetriage/nodetriage/collect/layouts"
)

// Bounds for documents that are read ahead. A larger document is read alone: its memory has separate bounds.
const (
	aheadDocument = 2 << 20 // bytes of one document
	aheadBytes    = 8 << 20 // of all documents
	aheadEach     = 4       // documents for each processor: most wait for their turn
	aheadMost     = 32      // documents
)

// ahead reads the documents of a container concurrently. Each document adds to the evidence in its turn, so that the result is the
// same as with sequential reading.
type ahead struct {
	c       *container
	most    int           // concurrent documents; 0: each is read before the next
	through chan struct{} // closed when the document that began last is done; nil: none began

	mu        sync.Mutex
	less      sync.Cond // a document is done
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

// reserve waits for capacity for a document of that size and takes it. It returns false if the document must be read alone; all
// documents before it are done then.
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

// begin reads a document for which reserve took the capacity, as a member of a copy of the container.
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

// wait returns when all documents are done.
func (a *ahead) wait() {
	if a.through != nil {
		<-a.through
	}
}

// fork copies the container for a document that is read ahead. In the document's turn, earlier returns the bytes of inputs read
// before it.
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

// join adds what a copy of the container recorded about its document.
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

// turn is the point at which a document that is read ahead may change the evidence: when all documents before it are done. nil:
// always.
type turn struct {
	before <-chan struct{} // closed when they are done

	mu    sync.Mutex
	notes []func() // run first
}

// await returns when it is the document's turn.
func (t *turn) await() {
	if t == nil {
		return
	}
	<-t.before
	t.mu.Lock()
	defer t.mu.Unlock()
	t.catchUp()
}

// later runs do in the document's turn, after the earlier notes.
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
