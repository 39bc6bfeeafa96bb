package ask

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/cloud"
)

// question is one question about the shop.
type question struct {
	ask  func(context.Context, From) (any, error)
	want string // a part of the answer as JSON
	own  bool   // the answer depends on when, or for which node, the evidence was read
}

// questions are all that take evidence.
func questions() map[string]question {
	list := ListOptions{Node: "n1"}
	return map[string]question{
		"diagnose": {ask: func(ctx context.Context, from From) (any, error) {
			d, err := Diagnose(ctx, from, DiagnoseOptions{Trace: true})
			if err != nil {
				return nil, err
			}
			return d.Report, nil
		}, want: `"cause":"drain-blocked-finalizer"`},
		"diagnose a node": {ask: func(ctx context.Context, from From) (any, error) {
			d, err := Diagnose(ctx, from, DiagnoseOptions{Nodes: []string{"n3"}})
			if err != nil {
				return nil, err
			}
			return d.Map(), nil
		}, want: `"name":"n3"`},
		"node": {ask: func(ctx context.Context, from From) (any, error) {
			d, err := Node(ctx, from, NodeOptions{Name: "n1"})
			if err != nil {
				return nil, err
			}
			return []any{d.Detail, d.Timeline()}, nil
		}, want: `"crash"`, own: true},
		"timeline": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(Timeline(ctx, from, TimelineOptions{Node: "n1"}))
		}, want: `ImagePullBackOff`},
		"nodes": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(Nodes(ctx, from, NodesOptions{Selector: "pool=a", FieldSelector: "metadata.name!=n2", Odd: true, LabelKeys: []string{"agentpool"}}))
		}, want: `"agentpool":"a"`},
		"pools": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(Pools(ctx, from, PoolsOptions{Pool: "a"}))
		}, want: `"name":"a"`},
		"pods": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(Pods(ctx, from, PodsOptions{ListOptions: list, Selector: "app=web", FieldSelector: "status.phase=Running"}))
		}, want: `"name":"web-1"`},
		"budgets": {ask: func(ctx context.Context, from From) (any, error) { return answer(Budgets(ctx, from, list)) }, want: `"name":"web"`},
		"daemonsets": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(DaemonSets(ctx, from, ListOptions{Odd: true, SortBy: "missing"}))
		}, want: `"name":"log"`},
		"operations": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(Operations(ctx, from, OperationsOptions{Caller: "ops", Until: time.Minute}))
		}, want: `ops@example.com`},
		"why a pod": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(Why(ctx, from, WhyOptions{Subject: "big-1"}))
		}, want: `Insufficient cpu`},
		"predict": {ask: func(ctx context.Context, from From) (any, error) {
			p, err := Predict(ctx, from, PredictOptions{Nodes: []string{"n1"}, Event: predict.PowerOff})
			if err != nil {
				return nil, err
			}
			return p.Forecast, nil
		}, want: `"fate":"lost"`},
		"predict a pool that is down": {ask: func(ctx context.Context, from From) (any, error) {
			p, err := Predict(ctx, from, PredictOptions{Zone: "z2", Pool: "a"})
			if err != nil {
				return nil, err
			}
			return p.Forecast, nil
		}, want: `"n3"`},
		"drain": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(Drain(ctx, from, DrainOptions{Nodes: []string{"n2", "n1", "n2"}, Archive: func(string, time.Time) string { return "x" }}))
		}, want: `"nodes":["n1","n2"]`},
		"upgrade": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(Upgrade(ctx, from, UpgradeOptions{Pool: "a"}))
		}, want: `"verdict":"blocked"`},
		"check": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(Check(ctx, from, CheckOptions{Pools: []string{"a"}}))
		}, want: `"check":"budget-never"`},
		"repair": {ask: func(ctx context.Context, from From) (any, error) {
			r, err := Repair(ctx, from, RepairOptions{Action: cloud.Reimage, Target: "n1", Bundle: func(time.Time) string { return "before.tar.gz" }})
			if err != nil {
				return nil, err
			}
			return r.Plan, nil
		}, want: `"bundle":"before.tar.gz"`, own: true},
		"verify": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(Verify(ctx, from, VerifyOptions{Node: "n1", Since: "15m"}))
		}, want: `"verdict":"not-clear"`},
		"diff": {ask: func(ctx context.Context, from From) (any, error) {
			return answer(Diff(ctx, from, DiffOptions{Before: Side{Source: from.Source}, Nodes: []string{"n1", "none"}}))
		}, want: `"drain-blocked-finalizer"`},
		"collect": {ask: func(ctx context.Context, from From) (any, error) {
			c, err := Collect(ctx, from, CollectOptions{})
			if err != nil {
				return nil, err
			}
			return c.Incomplete(), nil
		}, want: `null`},
	}
}

// answer drops the type of an answer, and the answer of an error.
func answer[T any](a T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

// asked is the node in the name of a source that was read for it alone.
var asked = regexp.MustCompile(`, node n[0-9]`)

// The same evidence gives the same answer, from files and as a held Snapshot.
func TestQuestions(t *testing.T) {
	files, before, recorded := fromFiles(t), fromFiles(t), fromFiles(t)
	before.Source, recorded.Source = Held{held(t)}, recording(t)
	for name, q := range questions() {
		t.Run(name, func(t *testing.T) {
			want := said(t, q, files)
			if !strings.Contains(want, q.want) {
				t.Errorf("the answer has no %s: %s", q.want, want)
			}
			if got := said(t, q, before); got != asked.ReplaceAllString(want, "") && !q.own {
				t.Errorf("of a Snapshot: %s\nof files: %s", got, want)
			}
			if got := said(t, q, recorded); !strings.Contains(got, q.want) {
				t.Errorf("of a recording: no %s: %s", q.want, got)
			}
		})
	}
}

func said(t *testing.T, q question, from From) string {
	t.Helper()
	a, err := q.ask(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// silent is standard input without a writer.
type silent struct{}

func (silent) Read([]byte) (int, error) { select {} }

// A cancelled context ends every question.
func TestQuestionsEnd(t *testing.T) {
	for name, q := range questions() {
		t.Run(name, func(t *testing.T) {
			from := fromFiles(t)
			for _, source := range []Source{Held{held(t)}, recording(t)} {
				from.Source = source
				if _, err := q.ask(cancelled(t), from); !errors.Is(err, context.Canceled) {
					t.Errorf("%T: %v", source, err)
				}
			}
			from.Source = Files{Paths: []string{"-"}, Stdin: silent{}}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(10*time.Millisecond, cancel)
			if _, err := q.ask(ctx, from); err == nil {
				t.Error("standard input to which nobody writes has an answer")
			}
		})
	}
}

// Progress names the source, and how much was read.
func TestProgress(t *testing.T) {
	from := fromFiles(t)
	from.Source = Files{Paths: []string{shop + "/cluster.yaml", "-"}, Stdin: strings.NewReader("kubelet: ok")}
	var steps []Progress
	from.Progress = func(p Progress) { steps = append(steps, p) }
	if _, err := Nodes(t.Context(), from, NodesOptions{}); err != nil {
		t.Fatal(err)
	}
	ends := map[string]Progress{}
	for _, p := range steps {
		if before, again := ends[p.Reading]; again && p.Done < before.Done || !again && p.Phase != Begun {
			t.Errorf("after %+v: %+v", before, p)
		}
		ends[p.Reading] = p
	}
	if p := ends[shop+"/cluster.yaml"]; p.Phase != Ended || p.Done != p.Total || p.Total == 0 {
		t.Errorf("the file: %+v", p)
	}
	if p := ends["standard input"]; p.Phase != Ended || p.Done != int64(len("kubelet: ok")) || p.Total != 0 {
		t.Errorf("standard input: %+v", p)
	}
}

// A question is answered as of At: later evidence is dropped.
func TestAt(t *testing.T) {
	from := fromFiles(t)
	from.At = time.Date(2026, 6, 2, 9, 0, 30, 0, time.UTC)
	d, err := Diagnose(t.Context(), from, DiagnoseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range d.Report.Findings {
		if f.Since != nil && f.Since.After(from.At) {
			t.Errorf("%s is of %s", f.Cause, f.Since)
		}
	}
	if d.At != from.At {
		t.Error(d.At)
	}
}
