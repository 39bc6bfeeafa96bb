package engine

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/survey"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/live"
)

// The times of judgements.
const (
	// soonest and latest bound the time between two judgements of a cluster that changes all the time. In between, a judgement may take
	// a tenth of the time.
	soonest, latest = time.Second, 10 * time.Second
	share           = 10
	// calm and calmest bound the time between two judgements of a cluster that does not change: time alone makes heartbeats late.
	calm, calmest = 5 * time.Second, 30 * time.Second
	// large is how long a judgement of a large cluster takes. There, nodes that changed are judged by their part first.
	large = 200 * time.Millisecond
	// patience is how long a watch may be interrupted before the evidence counts as old. A watch that ends regularly continues within a
	// second.
	patience = 15 * time.Second
	// remembered is how long lists that cannot be watched are used.
	remembered = time.Minute
	// firstLists is how long the first judgement waits for the lists.
	firstLists = time.Minute
)

// Engine judges a cluster. New creates it, and Run makes it work.
type Engine struct {
	reader    *kube.Reader
	knowledge *Knowledge
	opt       Options
	store     *live.Store
	kubelets  *survey.Kubelets
	memory    *survey.Memory

	// Only the loop uses these.
	behindSince time.Time     // zero: all lists are current
	begun       time.Time     // of the last judgement of everything
	took        time.Duration // that it took
	soon        bool          // everything has to be judged as soon as allowed
	ahead       time.Duration // the clock of the API server minus ours

	mu      sync.Mutex
	current *Judgement
	turn    time.Time // when the loop last began
	readers []chan *Judgement
}

// Options are the options of an Engine.
type Options struct {
	// Name is the name of the cluster in reports.
	Name string
	// AskKubelets reads the endpoints of kubelets of unusual nodes, and the reports of agents.
	AskKubelets bool
}

// New returns an engine for the cluster of the reader.
func New(reader *kube.Reader, knowledge *Knowledge, opt Options) *Engine {
	return &Engine{
		reader: reader, knowledge: knowledge, opt: opt, store: live.NewStore(survey.Targets()),
		kubelets: survey.NewKubelets(reader, knowledge.signatures), memory: survey.NewMemory(remembered),
		current: &Judgement{Blind: &Blindness{v1alpha1.ReasonStarting, "The cluster has not been read yet.", time.Now()}},
	}
}

// Current returns the newest judgement. It is blind before the first.
func (e *Engine) Current() *Judgement {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.current
}

// Judgements returns a channel that receives each new judgement. A reader that is slow misses older ones.
func (e *Engine) Judgements() <-chan *Judgement {
	e.mu.Lock()
	defer e.mu.Unlock()
	c := make(chan *Judgement, 1)
	e.readers = append(e.readers, c)
	return c
}

// Follow calls do with the current judgement, and with each new one, until ctx ends. If do is slow, it misses older ones.
func (e *Engine) Follow(ctx context.Context, do func(*Judgement)) {
	judgements := e.Judgements()
	for j := e.Current(); ; {
		do(j)
		select {
		case j = <-judgements:
		case <-ctx.Done():
			return
		}
	}
}

// Alive returns an error if the engine has made no step for so long that it must be stuck.
func (e *Engine) Alive() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if idle := time.Since(e.turn); !e.turn.IsZero() && idle > 5*time.Minute {
		return fmt.Errorf("no judgement has been tried for %s", idle.Round(time.Second))
	}
	return nil
}

// Run judges until ctx ends.
func (e *Engine) Run(ctx context.Context) error {
	watching, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	defer watch.Wait()
	defer stop()
	failed := make(chan error, 1)
	watch.Go(func() { failed <- e.store.Watch(watching, e.reader) })
	first, cancel := context.WithTimeout(ctx, firstLists)
	e.store.Tried(first)
	cancel()
	for ctx.Err() == nil {
		now := time.Now()
		e.step(ctx, now)
		select {
		case err := <-failed:
			if ctx.Err() == nil {
				return fmt.Errorf("watch the cluster: %w", err)
			}
		default:
		}
		e.pause(ctx, now)
	}
	return nil
}

// step judges what changed, if the evidence is up to date.
func (e *Engine) step(ctx context.Context, now time.Time) {
	e.mu.Lock()
	e.turn = now
	last := e.current
	e.mu.Unlock()
	behind := e.store.Behind()
	switch {
	case len(behind) > 0:
		e.wait(behind, now)
		return
	case e.due(now) || last.Blind != nil:
		e.whole(ctx, now)
	default:
		next, soon := e.parts(last, now.Add(e.ahead))
		e.soon = e.soon || soon
		if next != nil {
			e.publish(next)
		}
	}
	e.behindSince = time.Time{}
}

// due reports whether everything is judged now.
func (e *Engine) due(now time.Time) bool {
	since := now.Sub(e.begun)
	return e.soon && since >= e.gap() || since >= min(max(calm, share*e.took), calmest)
}

// gap is the least time between two judgements of everything.
func (e *Engine) gap() time.Duration { return min(max(soonest, share*e.took), latest) }

// whole judges everything.
func (e *Engine) whole(ctx context.Context, now time.Time) {
	e.store.Changed() // everything includes what changed
	snapshot, err := e.read(ctx)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		e.blind(v1alpha1.ReasonAPIServerUnreachable, err.Error(), now)
	case missing(snapshot) != "":
		e.blind(v1alpha1.ReasonEvidenceIncomplete, "These lists cannot be read: "+missing(snapshot)+".", now)
	default:
		j := e.knowledge.Judge(snapshot)
		j.Took = time.Since(now)
		e.begun, e.took, e.soon, e.ahead = now, j.Took, false, snapshot.TakenAt().Sub(now)
		e.publish(j)
		if e.opt.AskKubelets {
			e.kubelets.Ask(ctx, snapshot)
		}
	}
}

// read returns the evidence as it is now.
func (e *Engine) read(ctx context.Context) (*evidence.Snapshot, error) {
	b := collect.NewBuilder(evidence.Source{Kind: "cluster", Name: e.opt.Name}, e.knowledge.signatures)
	err := survey.Cluster(ctx, e.reader, b, survey.Options{Lists: e.store, Memory: e.memory, Kubelets: e.kubelets})
	if err != nil {
		return nil, err
	}
	return b.Snapshot(), nil
}

// wait notes that lists are not current. The evidence counts as old after a while.
func (e *Engine) wait(behind []string, now time.Time) {
	if e.behindSince.IsZero() {
		e.behindSince = now
	}
	if now.Sub(e.behindSince) >= patience {
		e.blind(v1alpha1.ReasonWatchInterrupted, "These lists are not up to date: "+strings.Join(behind, ", ")+".", e.behindSince)
	}
}

// essential are the kinds without which a node cannot be called clear.
var essential = []evidence.Kind{evidence.Nodes, evidence.Leases, evidence.Pods, evidence.Events}

// missing returns the essential kinds that were not read at all.
func missing(s *evidence.Snapshot) string {
	var out []string
	for _, k := range essential {
		if s.Covers(k) == evidence.NotRead {
			out = append(out, string(k))
		}
	}
	return strings.Join(out, ", ")
}

// blind publishes the last judgement again, as one that may be out of date.
func (e *Engine) blind(reason, message string, since time.Time) {
	last := e.Current()
	if last.Blind != nil {
		since = last.Blind.Since
	}
	now := *last
	now.Blind = &Blindness{Reason: reason, Message: message, Since: since}
	e.publish(&now)
}

// publish makes a judgement the current one and gives it to the readers.
func (e *Engine) publish(j *Judgement) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.current = j
	for _, c := range e.readers {
		select {
		case <-c: // an older one
		default:
		}
		c <- j // only this function sends, under the lock
	}
}

// pause waits for the next step: until the cluster changes or a kubelet answered, but not too soon, or for a period.
func (e *Engine) pause(ctx context.Context, begun time.Time) {
	least, done := context.WithDeadline(ctx, begun.Add(soonest))
	defer done()
	next := begun.Add(calm)
	if e.soon {
		next = e.begun.Add(e.gap())
	}
	period, cancel := context.WithDeadline(ctx, next)
	defer cancel()
	if e.behindSince.IsZero() {
		select {
		case <-period.Done():
		case <-e.store.Changes():
			e.soon = e.soon || e.took < large
		case <-e.kubelets.Answered():
			e.soon = true
		}
	}
	<-least.Done()
}
