package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// grace is how long a command may take to print its partial result after a signal. Tests use a longer time.
var grace = 800 * time.Millisecond

// interruption ends the program on SIGINT and SIGTERM. The context ends, so that the command can print a partial result. If
// that takes too long, the program exits. While something is restored (held), the program waits for it.
type interruption struct {
	mu     sync.Mutex
	signal syscall.Signal // 0: no signal
	held   string         // what must complete
	exit   func(int)
}

// errInterrupted is the cause of the cancelled context of a command.
var errInterrupted = interruptedError{}

type interruptedError struct{}

func (interruptedError) Error() string { return "it was interrupted" }

// Is makes errors.Is match context.Canceled.
func (interruptedError) Is(other error) bool { return other == context.Canceled }

type interruptionKey struct{}

// listening is the channel that receives the signals of the program; nil: none does.
var listening atomic.Pointer[chan os.Signal]

// withoutInterrupts runs f while Ctrl-C belongs to another program on the terminal.
func withoutInterrupts(f func()) {
	signal.Ignore(os.Interrupt)
	f()
	// Not Reset: it leaves a signal ignored.
	signals := listening.Load()
	if signals == nil {
		unread := make(chan os.Signal, 1)
		signals = &unread
		defer signal.Stop(unread)
	}
	signal.Notify(*signals, os.Interrupt)
}

// interruptible returns a context that ends with the first signal.
func interruptible(parent context.Context) (context.Context, *interruption, func()) {
	i := &interruption{exit: os.Exit}
	ctx, cancel := context.WithCancelCause(context.WithValue(parent, interruptionKey{}, i))
	signals := make(chan os.Signal, 2)
	done := make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	listening.Store(&signals)
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
			case <-signals: // a second signal ends the program at once, except while something must be restored
				i.end()
			case <-time.After(grace):
				i.end()
			}
		}
	}()
	return ctx, i, func() { listening.Store(nil); signal.Stop(signals); close(done) }
}

func (i *interruption) came(s os.Signal) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.signal, _ = s.(syscall.Signal)
	if i.held != "" {
		fmt.Fprintf(os.Stderr, "nodetriage: interrupted: %s; this may take a moment\n", i.held)
	}
}

// end exits now, unless something must complete first.
func (i *interruption) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.held == "" {
		clearProgress()
		fmt.Fprintln(os.Stderr, "nodetriage: interrupted: it ended without an answer")
		i.exit(i.code())
	}
}

// code returns the exit code of an interrupted program; 0 without a signal.
func (i *interruption) code() int {
	if i.signal == 0 {
		return 0
	}
	return 128 + int(i.signal)
}

// ended returns the exit code if a signal was received, else 0.
func (i *interruption) ended() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.code()
}

// hold keeps the program running until release is called. what describes the operation.
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
