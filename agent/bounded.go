package agent

import (
	"bytes"
	"errors"
	"sync"
)

// bounded keeps the newest maxPart bytes of its input. After close it discards writes because an abandoned probe may
// still write.
type bounded struct {
	mu     sync.Mutex
	text   bytes.Buffer
	closed bool
}

var errClosed = errors.New("no longer awaited")

func (b *bounded) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return 0, errClosed
	}
	if over := b.text.Len() + len(p) - maxPart; over > 0 {
		b.text.Next(min(b.text.Len(), max(over, maxPart/4))) // in large steps because each one moves the rest
	}
	return b.text.Write(p)
}

// close returns the kept bytes.
func (b *bounded) close() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	return b.text.String()
}
