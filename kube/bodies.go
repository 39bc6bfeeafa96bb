package kube

import "bytes"

// bodies keeps some buffers of answers for the next ones. Pages of a big list are megabytes each, and a sync.Pool loses
// what it holds at every second garbage collection.
type bodies chan *bytes.Buffer

const (
	keptBodies = 2       // of lists that are read beside each other
	keptBody   = 8 << 20 // bytes: a usual page has 2 MB, in a buffer that was doubled
)

func newBodies() bodies { return make(bodies, keptBodies) }

// take returns an empty buffer.
func (b bodies) take() *bytes.Buffer {
	select {
	case buf := <-b:
		buf.Reset()
		return buf
	default:
		return new(bytes.Buffer)
	}
}

// give hands the buffer back; nobody reads what is in it.
func (b bodies) give(buf *bytes.Buffer) {
	if buf.Cap() > keptBody {
		return
	}
	select {
	case b <- buf:
	default:
	}
}
