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

// Options configure how a plan is carried out.
type Options struct {
	Reader *kube.Reader
	Writer *kube.Writer
	By     string // user or program, for marks and logs
	Accept []drain.Kind
	// DryRun: the Writer persists nothing, so the drain does not wait.
	DryRun          bool
	Timeout         time.Duration // 0: until all pods are gone
	UncordonOnAbort bool
	Log             func(Entry) // called sequentially from several goroutines
}

// Result is the result of a drain.
type Result struct {
	Run     string `json:"run"`
	DryRun  bool   `json:"dryRun,omitempty"` // nothing was changed; evicted pods are those that the API server would evict
	Drained bool   `json:"drained"`
	Evicted int    `json:"evicted"`
	Left    []Left `json:"left"`              // pods that should be gone but still exist
	Aborted string `json:"aborted,omitempty"` // why the drain ended early
}

// Left is a pod that still exists after a drain.
type Left struct {
	Pod string `json:"pod"`
	Why string `json:"why"`
}

// marker changes objects and marks them with the user and the previous state. This run or, after a crash, the next run
// can restore that state.
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
	begun   time.Time             // by the clock of the server

	surges []*surge
	pods   map[string]*pod // state of each pod by UID
	queues map[string]*queue
}

// Reasons why a drain ends early.
var (
	errTimeout  = errors.New("the time limit (--timeout) was reached")
	errReopened = errors.New("the node was uncordoned")
)

// settling is the time to restore changes when a drain ends.
const settling = 30 * time.Second

// Drain evicts the pods of the nodes in the plan. Before it returns, it restores suspended PodDisruptionBudgets and
// added replicas, also after an error. It first restores what a killed drain left behind. The error is about the tool;
// pods that stay are in the Result.
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
	defer func() { stop(); keeper.Wait() }() // no writes after the return
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
		host = "unknown-" + newRun() // then only the age of a mark shows whether its drain has ended
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

// newRun returns the random ID of a run, which distinguishes its marks from those of other runs.
func newRun() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

// reason returns why a drain ended early.
func reason(ctx context.Context, err error) string {
	if cause := context.Cause(ctx); errors.Is(cause, context.Canceled) {
		return "it was interrupted"
	} else if cause != nil {
		return cause.Error()
	}
	return err.Error()
}

// abortError returns nil if the end is a result and not a failure of the tool.
func abortError(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, errReopened) {
		return nil
	}
	return err
}

// prepare restores what a killed drain left behind, cordons the nodes, suspends PodDisruptionBudgets, and adds
// replicas.
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

// settle restores the other changes of this drain: always PodDisruptionBudgets and replicas, and the cordon if the
// drain did not finish and uncordoning was requested.
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
		} // otherwise only the mark is stale
	}
	return errors.Join(errs...)
}

// Restore restores what killed drains left behind.
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
					"it is suspended, but annotation "+evidence.MarkSuspend+" with its original spec is missing; apply it again from its source")
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("find suspended PodDisruptionBudgets: %w", err)
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
		return fmt.Errorf("find deployments with an extra replica: %w", err)
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
