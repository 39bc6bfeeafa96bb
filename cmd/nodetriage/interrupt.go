package main

import (
	"context"
	"errors"
	"fmt"
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
