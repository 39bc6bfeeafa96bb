package lists_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/cases/casetest/snapshots"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// A case is a cluster, written out or as a table, and what the lists show of it on a terminal. A file of the case that is
// named like a command, "pods odd namespace=shop", is what that prints.
func TestCases(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		var commands, others []string
		for _, f := range c.Files() {
			if kind, _, _ := strings.Cut(f.Name, " "); shows[kind] != nil {
				commands = append(commands, f.Name)
			} else {
				others = append(others, f.Name)
			}
		}
		var s *evidence.Snapshot
		if slices.Contains(others, "table") {
			s = snapshots.Table(t, c, append(commands, "report.yaml")...)
		} else {
			s = snapshots.Cluster(t, c)
		}
		r := &triage.Report{}
		if c.File("report.yaml") != nil {
			c.YAML(t, "report.yaml", r)
		}
		for _, command := range commands {
			words := strings.Fields(command)
			by, order := filter(t, words[1:])
			var got bytes.Buffer
			if err := shows[words[0]](&got, s, r, by, order); err != nil {
				got.WriteString("error: " + err.Error() + "\n")
			}
			c.Want(t, command, got.String())
		}
	})
}

// filter reads the words of a command.
func filter(t *testing.T, words []string) (by lists.Filter, order string) {
	t.Helper()
	var err error
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "odd":
			by.Odd = true
		case "namespace":
			by.Namespace = value
		case "node":
			by.Node = value
		case "pool":
			by.Pool = value
		case "status":
			by.Status = value
		case "caller":
			by.Caller = value
		case "since":
			by.Since, err = time.ParseDuration(value)
		case "until":
			by.Until, err = time.ParseDuration(value)
		case "fields":
			by.Fields, err = lists.ParseFields(value, lists.PodFields)
		case "labels":
			by.Labels, err = labels.Parse(value)
		case "sort":
			order = value
		default:
			t.Fatalf("what is %s?", w)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return by, order
}

// shows are the lists by the name of their command.
var shows = map[string]func(w io.Writer, s *evidence.Snapshot, r *triage.Report, by lists.Filter, order string) error{
	"pods": func(w io.Writer, s *evidence.Snapshot, _ *triage.Report, by lists.Filter, order string) error {
		return show(w, report.Pods)(lists.NewPods(s, time.Time{}, by, order))
	},
	"budgets": func(w io.Writer, s *evidence.Snapshot, _ *triage.Report, by lists.Filter, order string) error {
		return show(w, report.Budgets)(lists.NewBudgets(s, time.Time{}, by, order))
	},
	"daemonsets": func(w io.Writer, s *evidence.Snapshot, _ *triage.Report, by lists.Filter, order string) error {
		return show(w, report.DaemonSets)(lists.NewDaemonSets(s, time.Time{}, by, order))
	},
	"pools": func(w io.Writer, s *evidence.Snapshot, r *triage.Report, by lists.Filter, order string) error {
		return show(w, report.Pools)(lists.NewPools(s, time.Time{}, lists.PoolOptions{Report: r, Board: scheduler.New, Ask: cloud.Asking{State: "az aks show"}}, by, order))
	},
	"operations": func(w io.Writer, s *evidence.Snapshot, _ *triage.Report, by lists.Filter, order string) error {
		return show(w, report.Operations)(lists.NewOperations(s, time.Time{}, cloud.Asking{Log: "az monitor activity-log list"}, by, order))
	},
}

// show writes a list for a terminal, unless it could not be made.
func show[T any](w io.Writer, write func(io.Writer, *T, report.Style) error) func(*T, error) error {
	return func(list *T, err error) error {
		if err != nil {
			return err
		}
		return write(w, list, report.Style{Width: 100, Wide: true})
	}
}

// Objects are selected by the fields that the API server knows, and by no others.
func TestFields(t *testing.T) {
	n := &evidence.Node{Node: &corev1.Node{}}
	n.Name, n.Spec.Unschedulable = "w1", true
	for text, want := range map[string]bool{"metadata.name=w1": true, "metadata.name!=w1": false, "spec.unschedulable=true": true, "spec.unschedulable=false": false} {
		by, err := lists.ParseFields(text, lists.NodeFields)
		if err != nil || by.Matches(lists.FieldsOfNode(n)) != want {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
	for _, text := range []string{"status.phase=Running", "spec.unschedulable", "metadata.labels=a"} {
		if _, err := lists.ParseFields(text, lists.NodeFields); err == nil {
			t.Errorf("nodes can be selected by %s", text)
		}
	}
}

// Each list names its sort columns, even if it is empty.
func TestSorting(t *testing.T) {
	s := evidence.New(evidence.Data{})
	for name, sorted := range map[string]func(column string) error{
		"pods": func(by string) error { _, err := lists.NewPods(s, time.Time{}, lists.Filter{}, by); return err },
		"budgets": func(by string) error {
			_, err := lists.NewBudgets(s, time.Time{}, lists.Filter{}, by)
			return err
		},
		"daemonsets": func(by string) error {
			_, err := lists.NewDaemonSets(s, time.Time{}, lists.Filter{}, by)
			return err
		},
		"pools": func(by string) error {
			_, err := lists.NewPools(s, time.Time{}, lists.PoolOptions{Report: &triage.Report{}}, lists.Filter{}, by)
			return err
		},
		"operations": func(by string) error {
			if by == "Name" {
				by = "Time"
			}
			_, err := lists.NewOperations(s, time.Time{}, cloud.Asking{}, lists.Filter{}, by)
			return err
		},
	} {
		if err := sorted("Name"); err != nil {
			t.Errorf("%s by name: %v", name, err)
		}
		if err := sorted("colour"); err == nil || !strings.Contains(err.Error(), `sort by "colour": use one of`) {
			t.Errorf("%s by colour: %v", name, err)
		}
	}
}

// Data from a cloud is missing only if a node names a cloud.
func TestWithoutCloud(t *testing.T) {
	for id, want := range map[string]struct{ pools, operations string }{
		"":                     {"", "no cloud: no node has a provider ID of one"},
		"kind://docker/a/w1":   {"", "no cloud: no node has a provider ID of one"},
		"azure:///x":           {"pools in the cloud not read: count, limits, state and surge are unknown", "activity log of the cloud not read, or empty"},
		"digitalocean://12345": {"pools in the cloud not read: count, limits, state and surge are unknown", "activity log of the cloud not read, or empty"},
	} {
		n := &evidence.Node{Node: &corev1.Node{}}
		n.Name, n.Spec.ProviderID = "w1", id
		s := evidence.New(evidence.Data{Nodes: []*evidence.Node{n}})
		pools, err := lists.NewPools(s, time.Time{}, lists.PoolOptions{Report: &triage.Report{}}, lists.Filter{}, "")
		if err != nil {
			t.Fatal(err)
		}
		operations, err := lists.NewOperations(s, time.Time{}, cloud.Asking{}, lists.Filter{}, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(pools.Lacking, "; "); strings.Contains(got, "cloud") != (want.pools != "") || !strings.Contains(got, want.pools) {
			t.Errorf("pools of %q lack %q", id, got)
		}
		if got := strings.Join(operations.Lacking, "; "); !strings.Contains(got, want.operations) {
			t.Errorf("operations of %q lack %q", id, got)
		}
	}
}
