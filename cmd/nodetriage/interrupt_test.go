//go:build unix

package main

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// A command that ignores a signal is killed after the grace period, but not during a restore.
func TestSignalEndsWhatHangs(t *testing.T) {
	usual := grace
	grace = 10 * time.Millisecond
	defer func() { grace = usual }()
	ctx, i, stop := interruptible(t.Context())
	defer stop()
	codes := make(chan int, 1)
	i.mu.Lock()
	i.exit = func(code int) {
		select {
		case codes <- code:
		default: // the program would have ended
		}
	}
	i.mu.Unlock()
	release := hold(ctx, "what was changed is put back")
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	select {
	case code := <-codes:
		t.Errorf("it ends with %d before it has put back what it changed", code)
	case <-time.After(20 * grace):
	}
	release()
	if code := <-codes; code != 128+int(syscall.SIGTERM) {
		t.Errorf("it ends with %d", code)
	}
}

// Ctrl-C belongs to a pager only while it runs: afterwards it ends a command again.
func TestInterruptAfterPager(t *testing.T) {
	ctx, i, stop := interruptible(t.Context())
	defer stop()
	i.mu.Lock()
	i.exit = func(int) {}
	i.mu.Unlock()
	interrupt := func() {
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	withoutInterrupts(interrupt)
	if ctx.Err() != nil {
		t.Fatal("a signal to the pager ended the command")
	}
	interrupt()
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute):
		t.Error("a signal after the pager does not end the command")
	}
}
