package lab

import (
	"context"
	"time"
)

// Pause waits for d; it reports whether d passed before the context ended.
func Pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
