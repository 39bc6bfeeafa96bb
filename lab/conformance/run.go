//go:build unix

package conformance

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// sideBySide is how many scenarios a control plane carries without being late.
const sideBySide = 16

// Run plays the scenarios, those of one control plane side by side, and the control planes side by side.
func Run(ctx context.Context, program string, list []*Scenario, log io.Writer) ([]*Result, error) {
	results := make([]*Result, len(list))
	var planes []string
	for _, s := range list {
		if !slices.Contains(planes, s.Plane) {
			planes = append(planes, s.Plane)
		}
	}
	var said sync.Mutex
	var group errgroup.Group
	for _, name := range planes {
		group.Go(func() error {
			ctx, stop := context.WithCancel(ctx)
			defer stop()
			p, err := startPlane(ctx, name)
			if err != nil {
				return fmt.Errorf("start control plane %s: %w", name, err)
			}
			defer p.stop()
			p.restart = &restart{}
			for _, s := range list {
				if s.Plane == name && s.Restart > 0 {
					p.restart.ready.Add(1)
				}
			}
			var all errgroup.Group
			all.SetLimit(sideBySide)
			for i, s := range list {
				if s.Plane != name {
					continue
				}
				all.Go(func() error {
					begin := time.Now()
					results[i] = play(ctx, p, program, s)
					said.Lock()
					defer said.Unlock()
					fmt.Fprintf(log, "%-30s %s after %s\n", s.Name, results[i].says(), time.Since(begin).Round(time.Second))
					return nil
				})
			}
			return all.Wait()
		})
	}
	return results, group.Wait()
}

func (r *Result) says() string {
	switch {
	case r.Err != nil:
		return "not played: " + r.Err.Error()
	case r.Right():
		return "right"
	}
	text := "WRONG"
	for _, w := range r.Wrong {
		text += "\n    " + w
	}
	return text + "\n   "
}
