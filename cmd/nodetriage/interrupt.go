package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// grace is how long a command may take to end with what it has, after a signal; tests lengthen it.
var grace = 800 * time.Millisecond

// interruption ends the program on SIGINT and SIGTERM: the context ends, so that the command tells what it has, and if that takes
// too long the program ends without it. While something is put back (held), it is waited for.
type interruption struct {
	mu     sync.Mutex
	signal syscall.Signal // 0: none came
	held   string         // what must come to its end
	exit   func(int)
}

// errInterrupted is the cause for which the context of a command ends.
var errInterrupted = interruptedError{}

type interruptedError struct{}

func (interruptedError) Error() string { return "it was interrupted" }

// Is makes it one of the errors of a context that was cancelled.
func (interruptedError) Is(other error) bool { return other == context.Canceled }

type interruptionKey struct{}

// interruptible is a context that ends with the first signal.
func interruptible(parent context.Context) (context.Context, *interruption, func()) {
	i := &interruption{exit: os.Exit}
	ctx, cancel := context.WithCancelCause(context.WithValue(parent, interruptionKey{}, i))
	signals := make(chan os.Signal, 2)
	done := make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-done:
			return
		case s := <-signals:
			i.came(s)
			cancel(errInterrupted)
		}
		for {
			select {
			case <-done:
				return
			case <-signals: // again: whoever asks twice means it, but for what must be put back
				i.end()
			case <-time.After(grace):
				i.end()
			}
		}
	}()
	return ctx, i, func() { signal.Stop(signals); close(done) }
}

func (i *interruption) came(s os.Signal) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.signal, _ = s.(syscall.Signal)
	if i.held != "" {
		fmt.Fprintf(os.Stderr, "nodetriage: interrupted: %s; this may take a moment\n", i.held)
	}
}

// end ends the program now, unless something must come to its end first.
func (i *interruption) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.held == "" {
		clearProgress()
		fmt.Fprintln(os.Stderr, "nodetriage: interrupted: it ended without an answer")
		i.exit(i.code())
	}
}

// code is the exit code of an interrupted program; 0: no signal came.
func (i *interruption) code() int {
	if i.signal == 0 {
		return 0
	}
	return 128 + int(i.signal)
}

// ended is the exit code if a signal came, else 0.
func (i *interruption) ended() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.code()
}

// hold keeps the program from ending before release is called: what it says is under way.
func hold(ctx context.Context, what string) (release func()) {
	i, ok := ctx.Value(interruptionKey{}).(*interruption)
	if !ok {
		return func() {}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.held = what
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.held = ""
	}
}

// interrupted reports whether a signal ended the context.
func interrupted(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errInterrupted) }

// patient reads what may not come for long, a terminal or a pipe, until the context ends. A read that hangs then is left alone.
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

// maxWriterWait is how long a pipe that has a name may wait for a writer: a shell opens it before it starts the command.
const maxWriterWait = 30 * time.Second

// openPatiently opens a pipe that has a name, which may wait for a writer.
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
		return nil, fmt.Errorf("nobody writes to this named pipe: waited %s", maxWriterWait)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
