package execute

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Options say how a plan is carried out.
type Options struct {
	Reader *kube.Reader
	Writer *kube.Writer
	By     string // who does it, for marks and logs
	Accept []drain.Kind
	// DryRun: the Writer keeps nothing, so that nothing is waited for either.
	DryRun          bool
	Timeout         time.Duration // 0: until everything is gone
	UncordonOnAbort bool
	Log             func(Entry) // called from several goroutines, one at a time
}

// Result is how a drain ended.
type Result struct {
	Run     string `json:"run"`
	DryRun  bool   `json:"dryRun,omitempty"` // nothing was done: what counts as evicted, the API server would evict
	Drained bool   `json:"drained"`
	Evicted int    `json:"evicted"`
	Left    []Left `json:"left"`              // pods that are still there although they should not
	Aborted string `json:"aborted,omitempty"` // why it ended before all were gone
}

// Left is a pod that a drain left behind.
type Left struct {
	Pod string `json:"pod"`
	Why string `json:"why"`
}

// marker changes objects under marks that say who did it and what was there before, so that it can be put back: by this
// run, or by the next one if it dies.
type marker struct {
	opt  Options
	run  string
	host string

	mu    sync.Mutex
	marks []marked
}

// drainer is one run.
type drainer struct {
	*marker
	plan *drain.Plan

	planned map[string]*drain.Pod // by namespace/name
	begun   time.Time             // by the server's clock

	surges []*surge
	pods   map[string]*pod // by UID, what is known of each
	queues map[string]*queue
}

// Why a drain ends early.
var (
	errTimeout  = errors.New("the time limit (--timeout) is over")
	errReopened = errors.New("somebody uncordoned the node")
)

// settling is how long restoring may take when a drain ends.
const settling = 30 * time.Second

// Drain empties the nodes of the plan. Whatever happens, budgets that it suspended and replicas that it added are
// put back before it returns; what a drain that died left behind is put back first. The error is about the
// tool: pods that stay are in the Result.
func Drain(ctx context.Context, p *drain.Plan, opt Options) (_ *Result, err error) {
	d := newDrainer(p, opt)
	result := &Result{Run: d.run, DryRun: opt.DryRun, Left: []Left{}}
	if opt.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, opt.Timeout, errTimeout)
		defer cancel()
	}
	alive, stop := context.WithCancel(context.WithoutCancel(ctx))
	var keeper sync.WaitGroup
	keeper.Go(func() { d.keepAlive(alive) })
	defer func() { stop(); keeper.Wait() }() // nothing is written once it has returned
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), settling)
		defer cancel()
		err = errors.Join(err, d.settle(end, result))
	}()
	if err := d.prepare(ctx); err != nil {
		result.Aborted = reason(ctx, err)
		return result, abortError(ctx, err)
	}
	if opt.DryRun {
		return result, d.tryAll(ctx, result)
	}
	err = d.empty(ctx, result)
	result.Drained = err == nil && len(result.Left) == 0
	if err != nil {
		result.Aborted = reason(ctx, err)
	}
	return result, abortError(ctx, err)
}

func newMarker(opt Options) *marker {
	log, mu := opt.Log, &sync.Mutex{}
	opt.Log = func(e Entry) {
		mu.Lock()
		defer mu.Unlock()
		log(e)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown-" + newRun() // then only time tells whether a drain is dead
	}
	return &marker{opt: opt, run: newRun(), host: host}
}

func newDrainer(p *drain.Plan, opt Options) *drainer {
	d := &drainer{marker: newMarker(opt), plan: p, pods: map[string]*pod{}, queues: map[string]*queue{}, planned: map[string]*drain.Pod{}}
	for i := range p.Pods {
		d.planned[p.Pods[i].Key()] = &p.Pods[i]
	}
	return d
}

// newRun is the name of one run, which distinguishes its marks from those of others.
func newRun() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

// reason is why a drain ended early, in words.
func reason(ctx context.Context, err error) string {
	if cause := context.Cause(ctx); errors.Is(cause, context.Canceled) {
		return "it was interrupted"
	} else if cause != nil {
		return cause.Error()
	}
	return err.Error()
}

// abortError is nil where the end is a result, not a failure of the tool.
func abortError(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, errReopened) {
		return nil
	}
	return err
}

// prepare puts back what a dead drain left, closes the nodes, suspends budgets, and adds replicas.
func (d *drainer) prepare(ctx context.Context) error {
	if err := d.restoreAbandoned(ctx); err != nil {
		return err
	}
	d.begun = d.now()
	for _, n := range d.plan.Nodes {
		if err := d.cordon(ctx, n); err != nil {
			return err
		}
	}
	for _, key := range d.plan.Suspend {
		if err := d.suspend(ctx, key); err != nil {
			return err
		}
	}
	for _, s := range d.plan.Surges {
		own := &surge{Surge: s}
		d.surges = append(d.surges, own)
		if err := d.grow(ctx, own); err != nil {
			return err
		}
	}
	return nil
}

// settle restores what else this drain changed: always budgets and replicas, the cordon when it did not
// come to its end and that was asked for.
func (d *drainer) settle(ctx context.Context, result *Result) error {
	if d.opt.DryRun {
		return nil
	}
	mine := func(m *evidence.Mark) bool { return m.Run == d.run }
	var errs []error
	for _, key := range d.plan.Suspend {
		namespace, name, _ := strings.Cut(key, "/")
		errs = append(errs, d.restorePDB(ctx, namespace, name, mine))
	}
	for _, s := range d.surges {
		errs = append(errs, d.shrink(ctx, s.Namespace, s.Name, mine))
	}
	open := result.Aborted != "" && d.opt.UncordonOnAbort
	for _, n := range d.plan.Nodes {
		if err := d.endCordon(ctx, n, open); err != nil && open {
			errs = append(errs, err)
		} // else only the mark is not up to date
	}
	return errors.Join(errs...)
}

// Restore puts back what drains left behind that died.
func Restore(ctx context.Context, opt Options) error {
	return newMarker(opt).restoreAbandoned(ctx)
}

func (d *marker) restoreAbandoned(ctx context.Context) error {
	dead := func(m *evidence.Mark) bool { return m.Run != d.run && !d.alive(m) }
	var budgets, deployments [][2]string
	_, err := kube.List(ctx, d.opt.Reader, kube.PDBs, kube.Query{}, func(page []pdb) error {
		for i := range page {
			switch m := evidence.ReadMark(page[i].Annotations, evidence.MarkSuspend); {
			case m != nil && dead(m):
				budgets = append(budgets, [2]string{page[i].Namespace, page[i].Name})
			case m == nil && evidence.SuspendedSpec(&page[i].Spec):
				d.log("restore", "PodDisruptionBudget", page[i].Namespace+"/"+page[i].Name, Skipped,
					"it is suspended, and annotation "+evidence.MarkSuspend+" with its former spec is missing; apply it again from its source")
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("look for budgets that are left suspended: %w", err)
	}
	_, err = kube.List(ctx, d.opt.Reader, kube.Deployments, kube.Query{}, func(page []deployment) error {
		for i := range page {
			if m := evidence.ReadMark(page[i].Annotations, evidence.MarkSurge); m != nil && dead(m) {
				deployments = append(deployments, [2]string{page[i].Namespace, page[i].Name})
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("look for deployments that are left with an extra replica: %w", err)
	}
	var errs []error
	for _, b := range budgets {
		errs = append(errs, d.restorePDB(ctx, b[0], b[1], dead))
	}
	for _, w := range deployments {
		errs = append(errs, d.shrink(ctx, w[0], w[1], dead))
	}
	return errors.Join(errs...)
}
