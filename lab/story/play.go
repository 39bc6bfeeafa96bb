//go:build linux

package story

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/scenario"
)

// Player runs stories.
type Player struct {
	Program string // nodetriage
	Kubectl string
	Dir     string // folder of the looks
	Later   bool   // only the live program runs at once; a replay evaluates the stored evidence
	Log     io.Writer
}

// Played is the record of a story.
type Played struct {
	Story  Story         `json:"story"`
	Faults []*Fault      `json:"faults"`
	Looks  []*Look       `json:"looks"`
	Wall   time.Duration `json:"wall"`
	// Evicted is the number of evictions that the API server allowed between the faults.
	Evicted int `json:"evicted,omitempty"`
}

// Asked are the nodes that were diagnosed by name.
func (p *Played) Asked() []string { return asked(p.Faults) }

const (
	lookEvery = 5 * time.Second
	calm      = 12 * time.Second // until the first events of new nodes are over
	whole     = 8 * time.Second  // looks before the first break
	shown     = 25 * time.Second // minimum time of looks after the API showed the fault
	shortest  = 40 * time.Second // and minimum time in total
)

// stage is a running story.
type stage struct {
	Player
	played *Played
	reader *reader
	work   []*work
	looks  sync.WaitGroup // looks that are being evaluated
	judges chan struct{}  // maximum number of parallel evaluations

	mu sync.Mutex // locked during break and heal, and while a moment is read
}

// act is one fault of a story.
type act struct {
	scenario scenario.Scenario
	world    *scenario.World
	signs    *scenario.Signs
	fault    *Fault
}

// Play runs one story in a separate lab, unless it is already stored.
func (p Player) Play(ctx context.Context, s Story) (*Played, error) {
	if kept, err := load(filepath.Join(p.Dir, s.Name)); err == nil {
		return kept, nil
	}
	began := time.Now()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	plane, err := lab.Start(ctx, lab.Options{Machines: true, Log: p.Log})
	if err != nil {
		return nil, err
	}
	defer func() {
		cancel() // a watcher must not wait for a stopped lab
		plane.Stop()
	}()
	st := &stage{Player: p, played: &Played{Story: s}, judges: make(chan struct{}, 1)}
	acts, err := st.cast(ctx, plane)
	if err != nil {
		return nil, err
	}
	for _, w := range st.work {
		if err := w.started(ctx); err != nil {
			return nil, err
		}
	}
	if !lab.Pause(ctx, calm) {
		return nil, ctx.Err()
	}
	for _, w := range st.work {
		go w.roll(ctx)
	}
	looking, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- st.look(looking) }()
	err = st.run(ctx, acts)
	stop()
	if looked := <-ended; err == nil {
		err = looked
	}
	st.looks.Wait()
	st.played.Wall = time.Since(began)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return st.played, st.played.save(filepath.Join(p.Dir, s.Name))
}

// cast creates the nodes and the workload and prepares the objects to break.
func (st *stage) cast(ctx context.Context, plane *lab.ControlPlane) ([]*act, error) {
	hollow, err := plane.AddHollow(ctx, 3, nil, "lab-1", "lab-2")
	if err != nil {
		return nil, err
	}
	client, err := plane.Client()
	if err != nil {
		return nil, err
	}
	if _, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: workspace}}, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	story := st.played.Story
	first, err := scenario.Named(story.First)
	if err != nil {
		return nil, err
	}
	second, err := scenario.Named(story.Second)
	if err != nil {
		return nil, err
	}
	nodes, err := story.nodes(ctx, plane, hollow, first, second)
	if err != nil {
		return nil, err
	}
	st.reader = &reader{Player: st.Player, client: client, kubeconfig: plane.Kubeconfig}
	var acts []*act
	for i, s := range []scenario.Scenario{first, second} {
		w, err := scenario.NewWorld(plane, nodes[i])
		if err != nil {
			return nil, err
		}
		w.Pod = fmt.Sprintf("victim-%c", 'a'+rune(i))
		if i == 0 || nodes[1] != nodes[0] {
			load, err := newWork(ctx, client, w.Node)
			if err != nil {
				return nil, err
			}
			st.work = append(st.work, load)
			st.reader.worlds = append(st.reader.worlds, w)
		}
		if s.Asked {
			st.reader.asked = []string{w.Node}
		}
		a := &act{scenario: s, world: w, fault: newFault(s, w.Node), signs: w.Watch(ctx, s)}
		if err := s.Arrange(ctx, w); err != nil {
			return nil, err
		}
		st.played.Faults = append(st.played.Faults, a.fault)
		acts = append(acts, a)
	}
	return acts, nil
}

// nodes returns the nodes of both faults: two if they happen beside each other. A fault of a hollow node needs no machine.
func (s Story) nodes(ctx context.Context, plane *lab.ControlPlane, hollow []string, first, second scenario.Scenario) (nodes [2]string, err error) {
	add := plane.AddMachine
	if s.Systemd {
		add = plane.AddSystemd
	}
	node := func(hollowNode string, isHollow bool) (string, error) {
		if isHollow {
			return hollowNode, nil
		}
		m, err := add(ctx)
		if err != nil {
			return "", err
		}
		return m.Name, nil
	}
	if s.Kind != Beside {
		nodes[0], err = node(hollow[0], first.Hollow || second.Hollow)
		return [2]string{nodes[0], nodes[0]}, err
	}
	if nodes[0], err = node(hollow[0], first.Hollow); err == nil {
		nodes[1], err = node(hollow[1], second.Hollow)
	}
	return nodes, err
}

// run runs the story.
func (st *stage) run(ctx context.Context, acts []*act) error {
	first, second := acts[0], acts[1]
	distance := st.played.Story.Distance
	if err := rest(ctx, whole); err != nil {
		return err
	}
	steps := []func() error{
		func() error { return st.strike(ctx, first) }, func() error { return st.show(ctx, first) }, func() error { return st.heal(ctx, first) },
		func() error { return st.between(ctx) },
		func() error { return st.strike(ctx, second) }, func() error { return st.show(ctx, second) }, func() error { return st.heal(ctx, second) },
		func() error { return rest(ctx, afterEnd+lookEvery) },
	}
	if !st.played.Story.Kind.InTurn() {
		steps = []func() error{
			func() error { return st.strike(ctx, first) }, func() error { return rest(ctx, distance) }, func() error { return st.strike(ctx, second) },
			func() error { return st.show(ctx, first) }, func() error { return st.show(ctx, second) },
			func() error { return st.heal(ctx, first) }, func() error { return st.heal(ctx, second) },
			func() error { return rest(ctx, afterEnd+lookEvery) },
		}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// between is the time between two faults; the evictions are in the middle of it.
func (st *stage) between(ctx context.Context) error {
	half := st.played.Story.Distance / 2
	if err := rest(ctx, half); err != nil {
		return err
	}
	if st.played.Story.Evict {
		if err := st.evict(ctx); err != nil {
			return err
		}
	}
	return rest(ctx, half)
}

// evict evicts all pods of the workload, as a drain does.
func (st *stage) evict(ctx context.Context) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	for _, w := range st.work {
		n, err := w.evict(ctx)
		if err != nil {
			return err
		}
		st.played.Evicted += n
		fmt.Fprintf(st.Log, "%s: %d pods of %s evicted\n", st.played.Story.Name, n, w.node)
	}
	return nil
}

func rest(ctx context.Context, d time.Duration) error {
	lab.Pause(ctx, d)
	return ctx.Err()
}

func (st *stage) strike(ctx context.Context, a *act) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	a.signs.Begin()
	a.fault.Began = time.Now()
	if err := a.scenario.Strike(ctx, a.world); err != nil {
		return err
	}
	a.signs.Broken()
	fmt.Fprintf(st.Log, "%s: %s broken by %s\n", st.played.Story.Name, a.world.Node, a.scenario.Name)
	return nil
}

// show waits until there are enough looks at the fault: a while after the API showed it, or until all symptoms show.
func (st *stage) show(ctx context.Context, a *act) error {
	for lab.Pause(ctx, 500*time.Millisecond) {
		now := time.Now()
		since := now.Sub(a.fault.Began)
		if at, _ := a.signs.Told(); !at.IsZero() && now.Sub(at) >= shown && since >= shortest || since >= max(a.scenario.After, shortest) {
			return nil
		}
	}
	return ctx.Err()
}

func (st *stage) heal(ctx context.Context, a *act) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := a.scenario.Heal(ctx, a.world); err != nil {
		return fmt.Errorf("heal %s: %w", a.scenario.Name, err)
	}
	a.fault.Healed = time.Now()
	a.fault.Told, a.fault.By = a.signs.Told()
	fmt.Fprintf(st.Log, "%s: %s healed of %s\n", st.played.Story.Name, a.world.Node, a.scenario.Name)
	return nil
}

// look reads and evaluates every few seconds until ctx ends.
func (st *stage) look(ctx context.Context) error {
	for n := 1; ; n++ {
		began := time.Now()
		if err := st.moment(context.WithoutCancel(ctx), n); err != nil {
			return err
		}
		if !lab.Pause(ctx, time.Until(began.Add(lookEvery))) {
			return nil
		}
	}
}

// moment takes one look.
func (st *stage) moment(ctx context.Context, n int) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	dir := filepath.Join(st.Dir, st.played.Story.Name, fmt.Sprintf("%03d", n))
	l, err := st.reader.read(ctx, dir, st.hold)
	if err != nil {
		return err
	}
	l.Number = n
	st.played.Looks = append(st.played.Looks, l)
	if st.Later {
		return nil
	}
	concerned := l.concerned(st.played.Faults)
	st.looks.Go(func() {
		st.judges <- struct{}{}
		defer func() { <-st.judges }()
		l.judge(ctx, st.Program, asked(st.played.Faults), concerned, dir)
	})
	return nil
}

func (st *stage) hold(yes bool) {
	for _, w := range st.work {
		w.paused.Store(yes)
	}
}
