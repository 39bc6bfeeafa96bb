package survey

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Options tune the reading of a live cluster. The zero value means the defaults.
type Options struct {
	// ProbeTimeout is the timeout of one kubelet request; default 3 s. /healthz gets half of it.
	ProbeTimeout time.Duration
	// AskAgain is the delay before a kubelet request is repeated after a server error; default 4 s. A kubelet reconnects to a
	// restarted runtime within 3.6 s (maxBackoffDelay of k8s.io/cri-client pkg/remote_runtime.go, v0.36.3, and gRPC's jitter).
	AskAgain time.Duration
	renewal  time.Duration // of Leases, with the kubelet's jitter; tests shorten it
	// download is the timeout for an archive of an agent, from the first byte to the last; tests shorten it.
	download time.Duration
	// Probes is how many kubelets are probed in a run over the whole cluster; default 20, negative: none.
	Probes int
	// Progress, if set, gets the number of objects of a kind received so far. It is called concurrently.
	Progress func(kind evidence.Kind, objects int)
	// Lists are lists that watches keep up to date; nil: every list is read from the server.
	Lists Lists
	// Memory keeps the other lists between surveys; nil: each survey reads them.
	Memory *Memory
	// Kubelets has the answers of kubelets that were asked in the background. It is used in place of Probes.
	Kubelets *Kubelets
}

func (o Options) withDefaults() Options {
	if o.ProbeTimeout <= 0 {
		o.ProbeTimeout = 3 * time.Second
	}
	if o.AskAgain <= 0 {
		o.AskAgain = 4 * time.Second
	}
	if o.renewal <= 0 {
		o.renewal = 11 * time.Second // 10 to 10.4 s: kubernetes pkg/kubelet/kubelet.go and component-helpers apimachinery/lease, 1.36.3
	}
	if o.download <= 0 {
		o.download = time.Minute // 20 MB at less than 3 Mbit/s
	}
	if o.Probes == 0 {
		o.Probes = 20
	}
	if o.Progress == nil {
		o.Progress = func(evidence.Kind, int) {}
	}
	return o
}

// survey is one run against one API server. Reads run concurrently, and their outcomes become coverage and gaps at the end.
type survey struct {
	reader  *kube.Reader
	builder *collect.Builder
	opt     Options
	wait    sync.WaitGroup

	mu       sync.Mutex
	outcomes []outcome
	objects  map[evidence.Kind]int
}

// outcome is the result of one read.
type outcome struct {
	kind evidence.Kind
	what string // description: "pods", "leases in kube-system"
	some bool   // something was read
	all  bool   // everything was read
	err  error
	// ended: the list has more objects than the survey reads. The value is how many were read.
	ended int
	// aside: outside the scope of coverage; its failure is still a gap.
	aside bool
}

func newSurvey(r *kube.Reader, b *collect.Builder, opt Options) *survey {
	return &survey{reader: r, builder: b, opt: opt.withDefaults(), objects: map[evidence.Kind]int{}}
}

func (s *survey) note(o outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcomes = append(s.outcomes, o)
}

func (s *survey) count(k evidence.Kind, n int) {
	s.mu.Lock()
	s.objects[k] += n
	total := s.objects[k]
	s.mu.Unlock()
	s.opt.Progress(k, total)
}

// readList adds the objects of a list page by page, trimmed, and records the outcome under its kind. keep may skip objects; nil
// keeps all. It runs under the builder's lock, because lists that run concurrently share what was kept.
func readList[T any](ctx context.Context, s *survey, kind evidence.Kind, res kube.Resource[T], q kube.Query, keep func(*T) bool) {
	s.note(list(ctx, s, kind, res, q, keep))
}

// list is readList for callers that check the outcome before they record it.
func list[T any](ctx context.Context, s *survey, kind evidence.Kind, res kube.Resource[T], q kube.Query, keep func(*T) bool) outcome {
	o := outcome{kind: kind, what: res.Name}
	if q.Namespace != "" {
		o.what += " in " + q.Namespace
	}
	if q.Labels+q.Fields == "" && s.followed(&o, res.String(), q.Namespace) {
		return o
	}
	key := keyOf(res.String(), q)
	if s.remember(key, &o) {
		return o
	}
	read, items := 0, []evidence.Items(nil)
	o.all, o.err = kube.List(ctx, s.reader, res, q, func(page []T) error {
		items = append(items, addPage(s, page, keep)...)
		o.some = true
		read += len(page)
		s.count(kind, len(page))
		return ctx.Err()
	})
	o.endedAt(read)
	s.opt.Memory.keep(key, o, items)
	return o
}

// addPage adds the objects of a list that keep does not skip. It returns their items for the Memory, if there is one.
func addPage[T any](s *survey, page []T, keep func(*T) bool) (items []evidence.Items) {
	s.builder.Edit(func(d *evidence.Data, t *evidence.Templates) {
		for i := range page {
			o := &page[i]
			switch {
			case keep != nil && !keep(o):
			case s.opt.Memory == nil:
				d.Add(t, o)
			default:
				item := t.Convert(o)
				d.Put(item)
				items = append(items, item)
			}
		}
	})
	return items
}

// endedAt records how much was read of a list that stopped early without an error.
func (o *outcome) endedAt(read int) {
	if !o.all && o.err == nil {
		o.ended = read
	}
}

// readOne gets one object without adding it: the caller checks it and then uses add. A missing object is no failure: the result is
// nil with a complete outcome.
func readOne[T any](ctx context.Context, s *survey, kind evidence.Kind, res kube.Resource[T], namespace, name string) *T {
	obj, err := kube.Get(ctx, s.reader, res, namespace, name)
	if kube.ReasonOf(err) == kube.NotFound {
		err = nil
	}
	s.note(outcome{kind: kind, what: res.Name, some: obj != nil, all: err == nil, err: err})
	return obj
}

func add[T any](s *survey, kind evidence.Kind, obj *T) {
	s.builder.AddObject(obj)
	s.count(kind, 1)
}

// settle turns the outcomes into coverage and gaps.
func (s *survey) settle() {
	byKind := map[evidence.Kind][]outcome{}
	var kinds []evidence.Kind
	for _, o := range s.outcomes {
		if byKind[o.kind] == nil {
			kinds = append(kinds, o.kind)
		}
		byKind[o.kind] = append(byKind[o.kind], o)
	}
	slices.Sort(kinds)
	for _, k := range kinds {
		list := byKind[k]
		if slices.ContainsFunc(list, func(o outcome) bool { return !o.aside }) {
			s.builder.Cover(k, coverageOf(list))
		}
		s.gaps(k, list)
	}
}

func coverageOf(list []outcome) evidence.Coverage {
	all, some := true, false
	for _, o := range list {
		if o.aside {
			continue
		}
		all = all && o.all
		some = some || o.some || o.all
	}
	switch {
	case all:
		return evidence.Complete
	case some:
		return evidence.Partial
	}
	return evidence.NotRead
}

// gaps records the failed reads of a kind, grouped by reason, and the lists longer than the survey reads.
func (s *survey) gaps(k evidence.Kind, list []outcome) {
	for _, o := range list {
		if o.ended > 0 && !o.aside {
			s.builder.Incomplete(k, o.what, fmt.Sprintf("only the first %d were read", o.ended), k.Saved())
		}
	}
	failed := map[kube.Reason][]outcome{}
	var order []kube.Reason
	failures := 0
	for _, o := range list {
		if o.err == nil {
			continue
		}
		failures++
		c := kube.ReasonOf(o.err)
		if failed[c] == nil {
			order = append(order, c)
		}
		failed[c] = append(failed[c], o)
	}
	for _, c := range order {
		what := string(k)
		if failures < len(list) || len(order) > 1 {
			var names []string
			for _, o := range failed[c] {
				names = append(names, o.what)
			}
			slices.Sort(names)
			what = strings.Join(slices.Compact(names), ", ")
		}
		why, how := explain(failed[c])
		of := k
		if !slices.ContainsFunc(failed[c], func(o outcome) bool { return !o.aside }) {
			of = "" // coverage does not include them
		}
		s.builder.Incomplete(of, what, why, how)
	}
}
