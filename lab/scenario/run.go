//go:build linux

package scenario

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
)

// Result is one row of the scorecard. Times count from the break; what never happened has none.
type Result struct {
	Scenario Scenario
	Answers  map[string]Answer
	// NotReady is when Kubernetes said so.
	NotReady time.Duration
	// First is when the first right answer came, for each way of having evidence.
	First  map[string]time.Duration
	Healed bool
	Case   []byte
}

const (
	look      = 2 * time.Second  // between two rounds of looking at a broken node
	calm      = 12 * time.Second // all nodes are Ready, and their first events are over
	maxHealed = time.Minute
)

// Run starts a lab of its own, breaks a node, watches, records, judges and heals.
func (r Recorder) Run(ctx context.Context, s Scenario, dir string, log io.Writer) (*Result, error) {
	options := s.Options
	options.Machines, options.Log = s.Real, log
	plane, err := lab.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	defer plane.Stop()
	names, err := plane.AddHollow(ctx, 6, nil, "lab-1", "lab-2")
	if err != nil {
		return nil, err
	}
	node := names[0]
	if s.Real {
		m, err := plane.AddMachine(ctx)
		if err != nil {
			return nil, err
		}
		node = m.Name
	}
	w, err := NewWorld(plane, node)
	if err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, w); err != nil {
		return nil, err
	}
	if !pause(ctx, calm) {
		return nil, ctx.Err()
	}
	record, err := newRecord(w, dir)
	if err != nil {
		return nil, err
	}
	result := &Result{Scenario: s, Answers: map[string]Answer{}, First: map[string]time.Duration{}}
	begin := time.Now()
	if err := s.strike(ctx, w); err != nil {
		return nil, err
	}
	stop := w.watchReady(ctx, begin, result)
	for time.Since(begin) < s.After && pause(ctx, look) {
		if err := r.round(ctx, w, s, record, begin, result, false); err != nil {
			return nil, err
		}
	}
	stop()
	if err := r.round(ctx, w, s, record, begin, result, true); err != nil {
		return nil, err
	}
	if result.Case, err = record.Case(s); err != nil {
		return nil, err
	}
	if err := s.Heal(ctx, w); err != nil {
		return nil, fmt.Errorf("heal %s: %w", s.Name, err)
	}
	for healed := time.Now(); time.Since(healed) < maxHealed && !result.Healed && pause(ctx, time.Second); {
		result.Healed = w.ready(ctx)
	}
	return result, ctx.Err()
}

// round gathers and judges what has no right answer yet; all: everything, and for good. The node's own report is
// first, and its answer does not wait for the others' evidence.
func (r Recorder) round(ctx context.Context, w *World, s Scenario, record *Record, begin time.Time, result *Result, all bool) error {
	waits := func(way string) bool { _, done := result.First[way]; return all || !done }
	judge := func(way string) error {
		args := record.arguments(way)
		if args == nil {
			result.Answers[way] = Answer{Verdict: None}
			return nil
		}
		a, err := r.judge(ctx, s, way, args...)
		if err != nil {
			return fmt.Errorf("judge %s, %s: %w", s.Name, way, err)
		}
		result.Answers[way] = a
		if _, done := result.First[way]; !done && a.Verdict == Right {
			result.First[way] = time.Since(begin)
		}
		return nil
	}
	gathered := make(chan error, 1)
	go func() { gathered <- r.bundle(ctx, w, record) }() // while the node is asked
	if w.Machine != nil && waits(Report) {
		err := r.onNode(ctx, w, record)
		if err := errors.Join(err, <-gathered); err != nil {
			return err
		}
		gathered <- nil
		if err := judge(Report); err != nil {
			return err
		}
	}
	if waits(API) {
		if err := judge(API); err != nil {
			return err
		}
	}
	if err := <-gathered; err != nil {
		return err
	}
	if waits(Bundle) {
		if err := judge(Bundle); err != nil {
			return err
		}
	}
	if waits(Text) {
		if err := r.texts(ctx, w, record); err != nil {
			return err
		}
		if err := judge(Text); err != nil {
			return err
		}
	}
	if w.Machine == nil {
		result.Answers[Report] = Answer{Verdict: None}
	}
	return nil
}

// watchReady notes when the node is first not Ready, until stop.
func (w *World) watchReady(ctx context.Context, begin time.Time, result *Result) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for pause(ctx, 500*time.Millisecond) {
			if !w.ready(ctx) && ctx.Err() == nil {
				result.NotReady = time.Since(begin)
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}

func (w *World) ready(ctx context.Context) bool {
	node, err := w.Client.CoreV1().Nodes().Get(ctx, w.Node, metav1.GetOptions{})
	if err != nil {
		return false
	}
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
