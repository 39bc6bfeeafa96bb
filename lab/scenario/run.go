//go:build linux

package scenario

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
)

// Result is one row of the scorecard. Times count from the break; events that never happened have no time.
type Result struct {
	Scenario Scenario
	Answers  map[string]Answer
	// NotReady is the time when Kubernetes set the node to not Ready.
	NotReady time.Duration
	// First is the time of the first right answer, for each kind of evidence.
	First map[string]time.Duration
	// Told is the time when the first object of the API showed the fault; see Scenario.Sign. Broken is when the break
	// was complete: the diagnosis starts then.
	Told   time.Duration
	Broken time.Duration
	Save   lab.Save // the latest one
	Healed bool
	Case   []byte
}

const (
	pace      = time.Second      // minimum time between two rounds of diagnosis
	share     = 3                // a diagnosis from outside may use one part in so many of the time: the node shares the host
	calm      = 12 * time.Second // all nodes are Ready, and their first events are over
	maxHealed = 3 * time.Minute
	patience  = 3 * time.Minute // after all symptoms should show, on a busy machine
)

// Run starts a separate lab, breaks a node, watches, records, evaluates and heals.
func (r Recorder) Run(ctx context.Context, s Scenario, dir string, log io.Writer) (*Result, error) {
	w, err := r.world(ctx, s, log)
	if err != nil {
		return nil, err
	}
	defer w.Plane.Stop()
	if !lab.Pause(ctx, calm) {
		return nil, ctx.Err()
	}
	record, err := newRecord(w, dir)
	if err != nil {
		return nil, err
	}
	result := &Result{Scenario: s, Answers: map[string]Answer{}, First: map[string]time.Duration{}}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	signs := w.Watch(watching, s)
	begin := time.Now()
	signs.Begin()
	if err := s.Strike(ctx, w); err != nil {
		return nil, err
	}
	signs.Broken()
	result.Broken = time.Since(begin)
	if r.Late {
		err = r.late(ctx, w, s, record, begin, result)
	} else {
		err = r.watch(ctx, w, s, record, begin, signs, result)
	}
	if err != nil {
		return nil, err
	}
	if told, _ := signs.Told(); !told.IsZero() {
		result.Told = told.Sub(begin)
	}
	if result.Case, err = record.Case(s); err != nil {
		return nil, err
	}
	if err := s.Heal(ctx, w); err != nil {
		return nil, fmt.Errorf("heal %s: %w", s.Name, err)
	}
	for healed := time.Now(); time.Since(healed) < maxHealed && !result.Healed && lab.Pause(ctx, time.Second); {
		result.Healed = w.ready(ctx)
	}
	return result, ctx.Err()
}

// world starts a separate lab, and prepares the objects to break.
func (r Recorder) world(ctx context.Context, s Scenario, log io.Writer) (w *World, err error) {
	options := s.Options
	options.Machines, options.Log = s.Real, log
	plane, err := lab.Start(ctx, options)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			plane.Stop()
		}
	}()
	names, err := plane.AddHollow(ctx, 6, nil, "lab-1", "lab-2")
	if err != nil {
		return nil, err
	}
	node := names[0]
	if s.Real {
		add := plane.AddMachine
		if r.Systemd || s.NeedsSystemd() {
			add = plane.AddSystemd
		}
		m, err := add(ctx)
		if err != nil {
			return nil, err
		}
		node = m.Name
	}
	if w, err = NewWorld(plane, node); err != nil {
		return nil, err
	}
	return w, s.Arrange(ctx, w)
}

// watch diagnoses the broken node with all kinds of evidence until all symptoms show, and once more, and then saves the
// evidence of the node. The node report does not wait for other evidence, and the API is queried continuously once it
// shows the fault.
func (r Recorder) watch(ctx context.Context, w *World, s Scenario, record *Record, begin time.Time, signs *Signs, result *Result) error {
	loops, all := errgroup.WithContext(ctx)
	l := &watching{Recorder: r, world: w, scenario: s, record: record, begin: begin, signs: signs, result: result}
	loop := func(gather func(context.Context, *World, *Record) error, way string) {
		loops.Go(func() error { return l.loop(all, gather, way) })
	}
	if w.Machine != nil {
		loop(r.onNode, Report)
	} else {
		result.Answers[Report], result.Answers[Saved] = Answer{Verdict: None}, Answer{Verdict: None}
	}
	loop(func(context.Context, *World, *Record) error { return nil }, API)
	loop(r.bundle, Bundle)
	loop(r.texts, Text)
	stop := w.watchReady(ctx, begin, result)
	defer stop()
	if err := loops.Wait(); err != nil || w.Machine == nil {
		return err
	}
	if err := r.save(ctx, w, record, result); err != nil { // once, because it costs the node more than the others
		return err
	}
	return l.judge(ctx, Saved)
}

// watching is a broken node that is diagnosed in several ways at once.
type watching struct {
	Recorder
	world    *World
	scenario Scenario
	record   *Record
	begin    time.Time
	signs    *Signs

	lock   sync.Mutex
	result *Result
}

// loop gathers the evidence of one way and diagnoses it, until the answer is right and all symptoms should show.
func (l *watching) loop(ctx context.Context, gather func(context.Context, *World, *Record) error, way string) error {
	for last, wait := false, pace; !last; {
		if way == API {
			l.signs.within(ctx, wait-pace)
			wait = pace
		}
		if !lab.Pause(ctx, wait) {
			return ctx.Err()
		}
		last = time.Since(l.begin) >= l.scenario.After
		if !last && l.done(way) {
			continue
		}
		began := time.Now()
		if err := gather(ctx, l.world, l.record); err != nil {
			return err
		}
		if err := l.judge(ctx, way); err != nil {
			return err
		}
		if way != Report {
			wait = max(pace, share*time.Since(began))
		}
	}
	return nil
}

// judge diagnoses the evidence of one way, and notes when the answer was right first.
func (l *watching) judge(ctx context.Context, way string) error {
	a, err := l.Recorder.judge(ctx, l.scenario, way, l.record.arguments(way)...)
	if err != nil {
		return err
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	l.result.Answers[way] = a
	if _, done := l.result.First[way]; !done && a.Verdict == Right {
		l.result.First[way] = time.Since(l.begin)
	}
	return nil
}

// done reports whether the answer of that way was right.
func (l *watching) done(way string) bool {
	l.lock.Lock()
	defer l.lock.Unlock()
	_, done := l.result.First[way]
	return done
}

// late diagnoses the broken node with all kinds of evidence when all symptoms should show, and repeats it while an
// answer is not the required one.
func (r Recorder) late(ctx context.Context, w *World, s Scenario, record *Record, begin time.Time, result *Result) error {
	gather := map[string]func(context.Context, *World, *Record) error{Bundle: r.bundle, Text: r.texts}
	if w.Machine != nil {
		gather[Report] = r.onNode
		gather[Saved] = func(ctx context.Context, w *World, record *Record) error { return r.save(ctx, w, record, result) }
	} else {
		result.Answers[Report], result.Answers[Saved] = Answer{Verdict: None}, Answer{Verdict: None}
	}
	if !lab.Pause(ctx, time.Until(begin.Add(s.After))) {
		return ctx.Err()
	}
	for {
		expected := true
		var failed error
		for _, way := range Ways {
			if a, asked := result.Answers[way]; asked && s.Expected(way, a) {
				continue
			}
			a, err := r.ask(ctx, w, s, way, gather[way], record)
			if err != nil { // a busy host may answer the next time
				failed, expected = fmt.Errorf("%s: %w", way, err), false
				continue
			}
			result.Answers[way] = a
			if a.Verdict == Right {
				result.First[way] = time.Since(begin)
			}
			expected = expected && s.Expected(way, a)
		}
		if expected || time.Since(begin) > s.After+patience || !lab.Pause(ctx, pace) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return failed
		}
	}
}

// ask evaluates the answer of the program for one kind of evidence, after it was collected.
func (r Recorder) ask(ctx context.Context, w *World, s Scenario, way string, gather func(context.Context, *World, *Record) error, record *Record) (Answer, error) {
	if gather != nil {
		if err := gather(ctx, w, record); err != nil {
			return Answer{}, err
		}
	}
	return r.judge(ctx, s, way, record.arguments(way)...)
}

// watchReady records when the node is first not Ready, until stop.
func (w *World) watchReady(ctx context.Context, begin time.Time, result *Result) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lab.Pause(ctx, 500*time.Millisecond) {
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
