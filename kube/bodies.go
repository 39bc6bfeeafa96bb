package kube

import "bytes"

// bodies reuses buffers of responses. Pages of a big list are megabytes each, and a sync.Pool is emptied at every
// second garbage collection.
type bodies chan *bytes.Buffer

const (
	keptBodies = 2       // lists that are read in parallel
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

// give returns the buffer for reuse. The caller must not use it afterwards.
func (b bodies) give(buf *bytes.Buffer) {
	if buf.Cap() > keptBody {
		return
	}
	select {
	case b <- buf:
	default:
	}
}
