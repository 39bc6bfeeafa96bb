package signals

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/nodetriage/nodetriage/cloud/azure/gate"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/upgrade"
)

// API is what a Publisher needs of an API server.
type API interface {
	Requests(ctx context.Context) ([]health.HealthCheckRequest, error)
	Policies(ctx context.Context) ([]upgrade.UpgradeGatePolicy, error)
	// Signals returns the signals with the label of the provider.
	Signals(ctx context.Context, provider string) ([]health.HealthSignal, error)
	// Apply creates the signal or corrects its metadata and spec, and returns it with its status.
	Apply(ctx context.Context, s *health.HealthSignal) (*health.HealthSignal, error)
	// SetStatus writes the status of the signal if its resource version is still current.
	SetStatus(ctx context.Context, s *health.HealthSignal) error
}

// Nodes is what a Publisher needs of the judgement of nodes.
type Nodes interface {
	// List returns the nodes of the cluster.
	List() []Node
	// Judge returns the latest judgement of a node, also of one that does not exist.
	Judge(ctx context.Context, node string) gate.Judgement
}

// Node is one node of the cluster.
type Node struct{ Name, Pool, Image string }

// Settings are the settings of the owner.
type Settings struct {
	Provider   string // the label of the signals, as in the UpgradeGatePolicy
	OnDeadline gate.Choice
}

// Observer counts, for metrics.
type Observer interface {
	// Published counts a written verdict: True, False or Unknown.
	Published(status metav1.ConditionStatus, reason string)
	// Late is the number of requests without a signal of ours after half of their time.
	Late(requests int)
}

// Publisher answers the open requests.
type Publisher struct {
	api      API
	nodes    Nodes
	settings Settings
	observer Observer
	now      func() time.Time

	seen map[types.UID]time.Time // when a request was first seen
	mu   sync.Mutex
	said map[types.UID]gate.Answer // what was written last, because a cache may lag
}

// New returns a publisher.
func New(api API, nodes Nodes, set Settings, observer Observer, now func() time.Time) *Publisher {
	return &Publisher{api: api, nodes: nodes, settings: set, observer: observer, now: now, seen: map[types.UID]time.Time{}, said: map[types.UID]gate.Answer{}}
}

// parallel is the number of requests that are answered at the same time.
const parallel = 16

// Pass reads every request once. If write is true, it answers the requests that need an answer. A process that is not the leader does
// not write, and reports requests that the leader leaves open. Errors of single requests are joined: the next pass tries again.
func (p *Publisher) Pass(ctx context.Context, write bool) error {
	view, err := p.view(ctx)
	if err != nil {
		return err
	}
	p.observer.Late(view.late())
	if !write {
		return nil
	}
	var (
		wait  sync.WaitGroup
		slots = make(chan struct{}, parallel)
		mu    sync.Mutex
		errs  []error
	)
	for _, r := range view.open() {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			if err := p.answer(ctx, view, r); err != nil {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// answer decides one request and publishes the answer if it is new.
func (p *Publisher) answer(ctx context.Context, v *view, r *request) error {
	a := v.decide(ctx, p, r)
	if a.Status == "" || a.Status == r.said.Status && a.Reason == r.said.Reason {
		return nil
	}
	stored, err := p.api.Apply(ctx, newSignal(r, p.settings.Provider))
	if err != nil {
		return err
	}
	if before := said(stored); before.Final() {
		p.remember(r.UID, before)
		return nil
	}
	meta.SetStatusCondition(&stored.Status.Conditions, metav1.Condition{Type: health.Ready, Status: a.Status, Reason: a.Reason, Message: a.Message, LastTransitionTime: metav1.NewTime(p.now())})
	switch err := p.api.SetStatus(ctx, stored); {
	case apierrors.IsConflict(err), apierrors.IsNotFound(err):
		return nil // another process answered, or the request is deleted: the next pass sees it
	case err != nil:
		return err
	}
	p.remember(r.UID, a)
	p.observer.Published(a.Status, a.Reason)
	return nil
}

func (p *Publisher) remember(request types.UID, a gate.Answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said[request] = a
}

// said returns the verdict in the signal.
func said(s *health.HealthSignal) gate.Answer {
	if i := slices.IndexFunc(s.Status.Conditions, func(c metav1.Condition) bool { return c.Type == health.Ready }); i >= 0 {
		c := s.Status.Conditions[i]
		return gate.Answer{Status: c.Status, Reason: c.Reason, Message: c.Message}
	}
	return gate.Answer{}
}
