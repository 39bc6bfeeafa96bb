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
