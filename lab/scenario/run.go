//go:build linux

package scenario

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
)

// Result is one row of the scorecard.
type Result struct {
	Scenario Scenario
	Answers  map[string]Answer
	// NotReady and Answered are the times from the break until Kubernetes said NotReady, and until nodetriage
	// gave the right answer from the API alone; 0: never.
	NotReady, Answered time.Duration
	Healed             bool
	Case               []byte
}

// look is how often a broken node is looked at.
const look = 3 * time.Second

// Run starts a lab of its own, breaks a node, watches, records, judges and heals.
func (r Recorder) Run(ctx context.Context, s Scenario, dir string, log io.Writer) (*Result, error) {
	plane, err := lab.Start(ctx, lab.Options{Machines: s.Real, Log: log})
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
	if !pause(ctx, 15*time.Second) { // all nodes are Ready, their first events are over
		return nil, ctx.Err()
	}
	offsets := w.offsets()
	begin := time.Now()
	if err := s.Break(ctx, w); err != nil {
		return nil, fmt.Errorf("break %s: %w", s.Name, err)
	}
	result := &Result{Scenario: s, Answers: map[string]Answer{}}
	for time.Since(begin) < s.After && pause(ctx, look) {
		if result.NotReady == 0 && !w.ready(ctx) {
			result.NotReady = time.Since(begin)
		}
		if result.Answered == 0 {
			if a, err := r.Judge(ctx, s.Truth, "--kubeconfig", plane.Kubeconfig); err == nil && (a.Verdict == Right || a.Verdict == Wider) {
				result.Answered = time.Since(begin)
			}
		}
	}
	record, err := r.Record(ctx, w, dir, offsets)
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", s.Name, err)
	}
	for _, way := range Ways {
		args := record.arguments(way)
		if way == API {
			args = []string{"--kubeconfig", plane.Kubeconfig}
		}
		if args == nil {
			result.Answers[way] = Answer{Verdict: None}
		} else if result.Answers[way], err = r.Judge(ctx, s.Truth, args...); err != nil {
			return nil, fmt.Errorf("judge %s, %s: %w", s.Name, way, err)
		}
	}
	if result.Case, err = record.Case(s); err != nil {
		return nil, err
	}
	if err := s.Heal(ctx, w); err != nil {
		return nil, fmt.Errorf("heal %s: %w", s.Name, err)
	}
	for healed := time.Now(); time.Since(healed) < time.Minute && !result.Healed && pause(ctx, time.Second); {
		result.Healed = w.ready(ctx)
	}
	return result, ctx.Err()
}

// offsets are the present ends of the machine's logs.
func (w *World) offsets() map[string]int64 {
	out := map[string]int64{}
	if w.Machine != nil {
		for _, unit := range []string{lab.Kubelet, lab.Containerd} {
			if info, err := os.Stat(w.Machine.Log(unit)); err == nil {
				out[unit] = info.Size()
			}
		}
	}
	return out
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
