//go:build unix

package conformance

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// sideBySide is the number of scenarios that a control plane runs in parallel without lag.
const sideBySide = 16

// atMost is the maximum number of scenarios that run again. If more are wrong, a busy machine is not the reason.
const atMost = 5

// Trial is a program under test and its control planes.
type Trial struct {
	Program    string // path of nodetriage
	Kubernetes string // minor version of the control planes, one of lab.Releases; empty: the default of the lab
	Log        io.Writer
}

// Run runs the scenarios. Scenarios of one control plane run in parallel, and control planes run in parallel. A wrong
// scenario runs once more alone, and that result counts: a canary does not detect every moment of lag on a busy
// machine.
func (t Trial) Run(ctx context.Context, list []*Scenario) ([]*Result, error) {
	byPlane := map[string][]int{}
	for i, s := range list {
		byPlane[s.Plane] = append(byPlane[s.Plane], i)
	}
	results := make([]*Result, len(list))
	out := &said{to: t.Log}
	var group errgroup.Group
	for name, scenarios := range byPlane {
		group.Go(func() error { return t.playOn(ctx, name, list, scenarios, results, out) })
	}
	if err := group.Wait(); err != nil {
		return results, err
	}
	var wrong []int
	for i, r := range results {
		if !r.Right() {
			wrong = append(wrong, i)
		}
	}
	if len(wrong) > atMost {
		return results, nil
	}
	for _, i := range wrong {
		first := results[i]
		if err := t.playOn(ctx, list[i].Plane, list, []int{i}, results, out); err != nil {
			return results, err
		}
		results[i].First = first
	}
	return results, nil
}

// playOn runs some scenarios of the list on a new control plane.
func (t Trial) playOn(ctx context.Context, name string, list []*Scenario, scenarios []int, results []*Result, out *said) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	p, err := startPlane(ctx, name, t.Kubernetes)
	if err != nil {
		return fmt.Errorf("start control plane %s: %w", name, err)
	}
	defer p.stop()
	p.restart = &restart{}
	for _, i := range scenarios {
		if list[i].Restart > 0 {
			p.restart.ready.Add(1)
		}
	}
	var all errgroup.Group
	all.SetLimit(sideBySide)
	for _, i := range scenarios {
		all.Go(func() error {
			begin := time.Now()
			results[i] = play(ctx, p, t.Program, list[i])
			out.printf("%-30s %s after %s\n", list[i].Name, results[i].says(), time.Since(begin).Round(time.Second))
			return nil
		})
	}
	return all.Wait()
}

// said joins the messages of several goroutines.
type said struct {
	mu sync.Mutex
	to io.Writer
}

func (s *said) printf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.to, format, args...)
}

func (r *Result) says() string {
	switch {
	case r.Err != nil:
		return "not played: " + r.Err.Error()
	case r.Right():
		return "right"
	}
	text := "WRONG: " + r.Shows
	for _, w := range r.Wrong {
		text += "\n    " + w
	}
	return text + "\n   "
}
