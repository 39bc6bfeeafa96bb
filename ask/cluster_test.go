package ask

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/predict"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// azureAnswers is a cloud that answers with one document.
type azureAnswers struct{ about cloud.Scope }

func (a *azureAnswers) Read(_ context.Context, about cloud.Scope, answer func(cloud.Document), _ func(evidence.Gap)) {
	a.about = about
	answer(cloud.Document{Name: "log", JSON: []byte(`[]`)})
}

// A live cluster is read, and its cloud if the question needs it. What is rejected becomes a gap.
func TestCluster(t *testing.T) {
	from := fromServer(t, func(*http.Request) {})
	c := from.Source.(Cluster)
	var back []time.Duration
	answers := &azureAnswers{}
	c.Cloud = func(machines []string, d time.Duration) (cloud.Reader, *evidence.Gap, error) {
		if !slices.ContainsFunc(machines, func(id string) bool { return strings.HasPrefix(id, "azure://") }) {
			t.Errorf("asked for the machines %q", machines)
		}
		back = append(back, d)
		return answers, nil, nil
	}
	c.Beside = Files{Paths: []string{shop + "/log.json"}}
	from.Source = c
	var mu sync.Mutex
	var steps []Progress
	from.Progress = func(p Progress) { mu.Lock(); defer mu.Unlock(); steps = append(steps, p) }

	m, err := Nodes(t.Context(), from, NodesOptions{})
	if err != nil || m.Source != "cluster lab" {
		t.Fatal(m, err)
	}
	first := steps[0]
	if !first.Objects || !first.Whole || first.Phase != Begun || first.Reading != "the cluster" {
		t.Errorf("it begins with %+v", first)
	}
	if !slices.ContainsFunc(steps, func(p Progress) bool { return p.Objects && p.Phase == Ended }) {
		t.Errorf("it has no end: %+v", steps)
	}
	if back != nil {
		t.Error("the map of all nodes asks the cloud")
	}

	o, err := Operations(t.Context(), from, OperationsOptions{Until: time.Hour})
	if err != nil || len(back) != 1 || back[0] != 25*time.Hour || len(o.Operations) != 1 {
		t.Error(o, err, back)
	}
	if _, err := Upgrade(t.Context(), from, UpgradeOptions{Pool: "a"}); err != nil || !answers.about.Upgrade {
		t.Error(err, answers.about)
	}
	col, err := Collect(t.Context(), from, CollectOptions{})
	if err != nil || !slices.Contains(col.Incomplete(), "pods") || slices.Contains(col.Incomplete(), "nodes") {
		t.Error(col.Incomplete(), err)
	}
}

// Without a login the cloud is a gap.
func TestCloudWithoutLogin(t *testing.T) {
	from := fromServer(t, func(*http.Request) {})
	c := from.Source.(Cluster)
	refused := errors.New("no such cloud")
	c.Cloud = func([]string, time.Duration) (cloud.Reader, *evidence.Gap, error) {
		return nil, &evidence.Gap{What: "the cloud", Why: "nobody is logged in"}, refused
	}
	from.Source = c
	if _, err := Read(t.Context(), from, Scope{Cloud: true}); !errors.Is(err, refused) {
		t.Error(err)
	}
	c.Cloud = func([]string, time.Duration) (cloud.Reader, *evidence.Gap, error) {
		return nil, &evidence.Gap{What: "the cloud", Why: "nobody is logged in"}, nil
	}
	from.Source = c
	s, err := Read(t.Context(), from, Scope{Cloud: true})
	if err != nil || !slices.ContainsFunc(s.Data().Gaps, func(g evidence.Gap) bool { return g.What == "the cloud" }) {
		t.Error(err)
	}
}

// Only a part of the cluster is read if that is enough.
func TestPartOfCluster(t *testing.T) {
	from := fromServer(t, func(*http.Request) {})
	nodes := []string{"n1"}
	for name, ask := range map[string]func(From) error{
		"node":   func(from From) error { return second(Node(t.Context(), from, NodeOptions{Name: "n1"})) },
		"drain":  func(from From) error { return second(Drain(t.Context(), from, DrainOptions{Nodes: nodes})) },
		"verify": func(from From) error { return second(Verify(t.Context(), from, VerifyOptions{Node: "n1"})) },
		"diff": func(from From) error {
			return second(Diff(t.Context(), from, DiffOptions{Before: Side{Source: from.Source}, Nodes: nodes}))
		},
		"predict": func(from From) error {
			return second(Predict(t.Context(), from, PredictOptions{Nodes: nodes, Event: predict.PowerOff}))
		},
		"why": func(from From) error {
			err := second(Why(t.Context(), from, WhyOptions{Subject: "web-1", Namespace: "shop"}))
			if unread := (*UnreadError)(nil); errors.As(err, &unread) {
				return nil // the server rejects pods
			}
			return err
		},
	} {
		from.Progress = func(p Progress) {
			if p.Whole {
				t.Errorf("%s reads the whole cluster", name)
			}
		}
		if err := ask(from); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The plan lists the archives of agents, each with its file.
func TestSaved(t *testing.T) {
	from := fromServer(t, func(*http.Request) {})
	file := func(node string, at time.Time) string { return node + at.Format(" 15:04") }
	d, err := Drain(t.Context(), from, DrainOptions{Nodes: []string{"n1", "n2"}, Archive: file})
	if err != nil || len(d.Saved) != 4 {
		t.Fatal(d, err)
	}
	if s := d.Saved[2]; s.Node != "n2" || s.Path != "n2 09:00" || s.NotFetched != "" {
		t.Errorf("%+v", s)
	}
	if s := d.Saved[3]; s.Path != "" || s.NotFetched == "" {
		t.Errorf("a name that no agent gives: %+v", s)
	}
	if d, err = Drain(t.Context(), from, DrainOptions{Nodes: []string{"n1"}}); err != nil || d.Saved != nil {
		t.Error("agents are asked though nobody wants to know", err)
	}
}

// A missing node, an unreachable cluster, and a cancelled context are errors.
func TestClusterFails(t *testing.T) {
	from := fromServer(t, func(*http.Request) {})
	_, err := Diagnose(t.Context(), from, DiagnoseOptions{Nodes: []string{"m1"}})
	if usage := (*UsageError)(nil); !errors.As(err, &usage) || !strings.HasSuffix(withItsHint(err), "did you mean n1?") {
		t.Error(err)
	}
	if _, err := Diagnose(t.Context(), from, DiagnoseOptions{Nodes: []string{"something-else"}}); err == nil || strings.Contains(withItsHint(err), "did you mean") {
		t.Error(err)
	}
	for name, q := range questions() {
		if _, err := q.ask(cancelled(t), from); err == nil {
			t.Errorf("%s has an answer after the end", name)
		}
	}
	none := errors.New("no cluster")
	from.Source = Cluster{Connect: func() (*kube.Reader, string, error) { return nil, "", none }}
	for name, q := range questions() {
		if _, err := q.ask(t.Context(), from); !errors.Is(err, none) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// With KeepPart, a cancelled context keeps what was read before.
func TestKeepPart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	from := fromServer(t, func(r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/leases") {
			<-ctx.Done()
		}
	})
	c := from.Source.(Cluster)
	c.KeepPart = true
	from.Source = c
	from.Progress = func(p Progress) {
		if p.Done == 3 { // the nodes
			cancel()
		}
	}
	s, err := Read(ctx, from, Scope{})
	if err != nil || len(s.Data().Nodes) != 3 {
		t.Fatal(s, err)
	}
}
