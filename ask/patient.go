package ask

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

// patient reads from a terminal or a pipe until the context ends. A read that still blocks then is abandoned.
type patient struct {
	ctx   context.Context
	reads chan []byte
	free  chan []byte
	err   error
	rest  []byte
	whole []byte
}

func newPatient(ctx context.Context, r io.Reader) *patient {
	p := &patient{ctx: ctx, reads: make(chan []byte), free: make(chan []byte, 2)}
	p.free <- make([]byte, 64<<10)
	p.free <- make([]byte, 64<<10)
	go func() {
		defer close(p.reads)
		for {
			var buf []byte
			select {
			case buf = <-p.free:
			case <-ctx.Done():
				return
			}
			n, err := r.Read(buf[:cap(buf)])
			if n > 0 {
				select {
				case p.reads <- buf[:n]:
				case <-ctx.Done():
					return
				}
			}
			if err != nil {
				p.err = err
				return
			}
		}
	}()
	return p
}

func (p *patient) Read(to []byte) (int, error) {
	if len(p.rest) == 0 {
		if p.whole != nil {
			p.free <- p.whole
			p.whole = nil
		}
		select {
		case got, ok := <-p.reads:
			if !ok {
				if p.ctx.Err() != nil {
					return 0, context.Cause(p.ctx)
				}
				return 0, p.err
			}
			p.whole, p.rest = got, got
		case <-p.ctx.Done():
			return 0, context.Cause(p.ctx)
		}
	}
	n := copy(to, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// maxWriterWait is how long a named pipe may wait for a writer. A shell opens the pipe before it starts the command.
const maxWriterWait = 30 * time.Second

// openPatiently opens a named pipe, which may wait for a writer.
func openPatiently(ctx context.Context, name string) (*os.File, error) {
	type opened struct {
		f   *os.File
		err error
	}
	out := make(chan opened, 1)
	go func() {
		f, err := os.Open(name)
		out <- opened{f, err}
	}()
	select {
	case o := <-out:
		return o.f, o.err
	case <-time.After(maxWriterWait):
		return nil, fmt.Errorf("no program writes to this named pipe (waited %s)", maxWriterWait)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
