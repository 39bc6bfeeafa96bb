package lists_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/cases/casetest/snapshots"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// A case is a cluster and what the lists show of it, on a terminal: pods, budgets, daemonsets.
func TestCases(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		s := snapshots.Cluster(t, c)
		style := report.Style{Width: 100, Wide: true}
		for _, f := range c.Files("cluster.yaml", "at") {
			by := lists.Filter{}
			words := strings.Fields(f.Name)
			for _, w := range words[1:] {
				switch {
				case w == "odd":
					by.Odd = true
				case strings.HasPrefix(w, "namespace="):
					by.Namespace = strings.TrimPrefix(w, "namespace=")
				case strings.HasPrefix(w, "node="):
					by.Node = strings.TrimPrefix(w, "node=")
				default:
					t.Fatalf("%s: what is %s?", f.Name, w)
				}
			}
			var got bytes.Buffer
			var err error
			switch words[0] {
			case "pods":
				p, e := lists.NewPods(s, time.Time{}, by, "")
				if err = e; err == nil {
					err = report.Pods(&got, p, style)
				}
			case "budgets":
				b, e := lists.NewBudgets(s, time.Time{}, by, "")
				if err = e; err == nil {
					err = report.Budgets(&got, b, style)
				}
			case "daemonsets":
				d, e := lists.NewDaemonSets(s, time.Time{}, by, "")
				if err = e; err == nil {
					err = report.DaemonSets(&got, d, style)
				}
			default:
				t.Fatalf("there is no list of %s", words[0])
			}
			if err != nil {
				t.Fatal(err)
			}
			c.Want(t, f.Name, got.String())
		}
	})
}

// Each list says by what it can be sorted, even where it is empty.
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

// What a cloud would tell lacks only where a node names one.
func TestWithoutCloud(t *testing.T) {
	for id, want := range map[string]struct{ pools, operations string }{
		"":                     {"", "no node names a cloud: there is no log of one"},
		"kind://docker/a/w1":   {"", "no node names a cloud: there is no log of one"},
		"azure:///x":           {"what the cloud tells of pools was not read: count, bounds, state and surge are not known", "the log of the cloud was not read, or is empty"},
		"digitalocean://12345": {"what the cloud tells of pools was not read: count, bounds, state and surge are not known", "the log of the cloud was not read, or is empty"},
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
