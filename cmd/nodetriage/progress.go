package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"
)

// progress shows on standard error, if that is a terminal, what takes longer than a second: what, how much of how much, how
// long.
type progress struct {
	what  string
	total int64 // 0: unknown
	unit  func(int64) string
	done  atomic.Int64
	begun time.Time
	stop  chan struct{}
	wait  sync.WaitGroup
}

// line records whether a progress line is on the terminal.
var line struct {
	mu    sync.Mutex
	shown bool
}

// clearProgress removes the progress line before other output.
func clearProgress() {
	line.mu.Lock()
	defer line.mu.Unlock()
	if line.shown {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
		line.shown = false
	}
}

// startProgress shows progress after the first second, until end is called.
func startProgress(what string, total int64, unit func(int64) string) *progress {
	p := &progress{what: what, total: total, unit: unit, begun: time.Now(), stop: make(chan struct{})}
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return p
	}
	p.wait.Go(func() {
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-p.stop:
				clearProgress()
				return
			case <-tick.C:
				if time.Since(p.begun) >= time.Second {
					p.show()
				}
			}
		}
	})
	return p
}

func (p *progress) show() {
	line.mu.Lock()
	defer line.mu.Unlock()
	text := p.text()
	if columns, _, err := term.GetSize(int(os.Stderr.Fd())); err == nil && columns > 1 && len(text) >= columns {
		text = text[:columns-1]
	}
	fmt.Fprint(os.Stderr, "\r\x1b[K"+text)
	line.shown = true
}

func (p *progress) text() string {
	amount := p.unit(p.done.Load())
	if p.total > 0 {
		amount += " of " + p.unit(p.total)
	}
	return fmt.Sprintf("%s: %s, %s", p.what, amount, time.Since(p.begun).Round(time.Second))
}

func (p *progress) end() {
	close(p.stop)
	p.wait.Wait()
}

func objectsInWords(n int64) string { return fmt.Sprintf("%d objects", n) }
