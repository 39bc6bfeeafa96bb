package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
	"github.com/nodetriage/nodetriage/triage"
)

// Commands count and date the same things alike, in every recorded case and in the clusters of the recorded stories.
func TestCommandsAgreeOnRecordedClusters(t *testing.T) {
	if testing.Short() {
		t.Skip("it judges a ninth of the recorded cases and stories")
	}
	t.Parallel()
	k := builtinKnowledge(t)
	recorded, err := cases.Find("../../cases")
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	todo := make(chan func() (string, *evidence.Snapshot, error))
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for read := range todo {
				name, s, err := read()
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if len(s.Data().Nodes) > 0 {
					compareOn(t, name, s, k)
				}
			}
		})
	}
	for _, c := range ofToday(recorded, 9) {
		todo <- func() (string, *evidence.Snapshot, error) {
			s, err := snapshotOf(c, k)
			return c.Name, s, err
		}
	}
	stories, err := filepath.Glob("../../lab/story/testdata/*/*.tar.zst")
	if err != nil || len(stories) == 0 {
		t.Fatal("no recorded stories", err)
	}
	for _, story := range ofToday(stories, 9) {
		for name, bundle := range bundlesOf(t, story) {
			todo <- func() (string, *evidence.Snapshot, error) {
				b := collect.NewBuilder(evidence.Source{Kind: "bundle", Name: name}, k.Signatures)
				b.AddStream(name, bytes.NewReader(bundle))
				return filepath.Base(story) + "/" + name, b.Snapshot(), b.Unreadable()
			}
		}
	}
	close(todo)
	wait.Wait()
}

// bundlesOf returns the bundles of a recorded story, by their path.
func bundlesOf(t *testing.T, story string) map[string][]byte {
	t.Helper()
	file, err := os.Open(story)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := zstd.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	out := map[string][]byte{}
	for files := tar.NewReader(packed); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if path.Base(head.Name) == "bundle.tar" {
			if out[head.Name], err = io.ReadAll(files); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// comparison holds the answers of the commands about one cluster.
type comparison struct {
	t       *testing.T
	name    string
	s       *evidence.Snapshot
	report  *triage.Report
	nodes   *nodes.Map
	rows    map[string]*nodes.Node
	pods    *lists.Pods
	pools   *lists.Pools
	daemons *lists.DaemonSets
}

func compareOn(t *testing.T, name string, s *evidence.Snapshot, k *ask.Knowledge) {
	r := k.Judge(s, time.Time{})
	c := &comparison{t: t, name: name, s: s, report: r, nodes: nodes.New(s, r, time.Time{}), rows: map[string]*nodes.Node{}}
	var errs [3]error
	c.pods, errs[0] = lists.NewPods(s, time.Time{}, lists.Filter{}, "")
	c.pools, errs[1] = lists.NewPools(s, time.Time{}, lists.PoolOptions{Report: r}, lists.Filter{}, "")
	c.daemons, errs[2] = lists.NewDaemonSets(s, time.Time{}, lists.Filter{}, "")
	if err := errors.Join(errs[:]...); err != nil {
		c.fail("%v", err)
		return
	}
	for _, g := range c.nodes.Groups {
		for _, n := range g.Nodes {
			c.rows[n.Name] = n
		}
	}
	c.poolCounts()
	c.podCounts()
	c.details()
	c.since()
	c.daemonCounts()
	c.free()
}

func (c *comparison) fail(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("%s: %s", c.name, fmt.Sprintf(format, args...))
}

// poolCounts: the states of nodes of all pools add up to those of nodes.
func (c *comparison) poolCounts() {
	sum, all, ready := map[nodes.State]int{}, 0, 0
	for _, n := range c.s.Data().Nodes {
		if n.Ready() == evidence.True {
			ready++
		}
	}
	for _, p := range c.pools.Pools {
		all += p.Nodes
		ready -= *p.Ready
		for state, n := range p.States {
			sum[state] += n
		}
	}
	for _, state := range nodes.States {
		if sum[state] != c.nodes.States[state] {
			c.fail("pools has %d nodes %s, nodes %d", sum[state], state, c.nodes.States[state])
		}
	}
	if all != c.nodes.Nodes || ready != 0 {
		c.fail("pools has %d nodes, nodes %d, and %d more are Ready", all, c.nodes.Nodes, ready)
	}
}

// podCounts: pods lists as many pods that are not well on a node as nodes counts.
func (c *comparison) podCounts() {
	bad, all := map[string]int{}, map[string]int{}
	for _, g := range c.pods.Groups {
		for _, p := range g.Pods {
			of := c.s.Pod(p.Namespace, p.Name)
			if of == nil || of.Finished() || !of.Stated() && !of.Deleting() {
				continue
			}
			all[p.Node]++
			if g.Reason != "running and ready" {
				bad[p.Node]++
			}
		}
	}
	for name, n := range c.rows {
		if n.Pods.NotWell != bad[name] && n.State != nodes.Silent {
			c.fail("nodes has %d pods of %s not well, pods %d", n.Pods.NotWell, name, bad[name])
		}
	}
}

// details: the page of a node has the state, the time, the shares and the DaemonSets of its row and of daemonsets.
func (c *comparison) details() {
	missing := map[string][]string{}
	for _, d := range c.daemons.DaemonSets {
		for _, name := range d.Missing {
			missing[name] = append(missing[name], d.Namespace+"/"+d.Name)
		}
	}
	for name, row := range c.rows {
		d := nodes.NewDetail(c.s, c.report, name, time.Time{})
		if d.Node.State != row.State || !sameTime(d.Node.Since, row.Since) {
			c.fail("%s is %s since %s in nodes, and %s since %s in its page", name, row.State, row.Since, d.Node.State, d.Node.Since)
		}
		for _, set := range missing[name] {
			if !slices.Contains(d.Missing, set) {
				c.fail("daemonsets misses %s on %s, and its page does not", set, name)
			}
		}
		for _, r := range d.Resources {
			a := map[string]nodes.Amount{"cpu": row.CPU, "memory": row.Memory}[r.Name]
			if a.RequestedShare != nil && r.Share != nil && *a.RequestedShare != *r.Share {
				c.fail("%s %s: %d%% in nodes, %d%% in its page", name, r.Name, *a.RequestedShare, *r.Share)
			}
		}
	}
}

func sameTime(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

// since: a state is as old as the condition that it stands for.
func (c *comparison) since() {
	for name, row := range c.rows {
		n := c.s.Node(name)
		if row.State != nodes.Unhealthy || row.Since == nil {
			continue
		}
		ok := false
		for i := range n.Node.Status.Conditions {
			cond := &n.Node.Status.Conditions[i]
			if cond.Type != corev1.NodeReady && evidence.Bad(cond) == evidence.True && cond.LastTransitionTime.Time.Equal(*row.Since) {
				ok = true
			}
		}
		for _, f := range c.report.Findings {
			ok = ok || f.Since != nil && f.Since.Equal(*row.Since)
		}
		if !ok {
			c.fail("%s is unhealthy since %s, which is the age of no problem", name, row.Since)
		}
	}
}

// daemonCounts: daemonsets and diagnose count alike.
func (c *comparison) daemonCounts() {
	for _, d := range c.daemons.DaemonSets {
		if want := d.Desired - d.Ready; len(d.Missing)+len(d.NotReady) != want && c.s.Covers(evidence.Pods) == evidence.Complete {
			c.fail("%s/%s: %d of %d ready, missing on %v, not ready on %v, misplaced %v", d.Namespace, d.Name, d.Ready, d.Desired, d.Missing, d.NotReady, d.Misplaced)
		}
	}
}

// free: headroom is what the simulated scheduler has left.
func (c *comparison) free() {
	if c.s.Covers(evidence.Pods) != evidence.Complete {
		return
	}
	board, err := scheduler.New(c.s)
	if err != nil {
		return // no placement either
	}
	for name, row := range c.rows {
		free := board.Free(name)
		for what, n := range map[string][2]*int64{
			"CPU": {row.Free.CPU, amountOf(free.Cpu().MilliValue())}, "memory": {row.Free.Memory, amountOf(free.Memory().Value())}, "pods": {row.Free.Pods, amountOf(free.Pods().Value())},
		} {
			if n[0] != nil && *n[0] != *n[1] {
				c.fail("%s of %s: %d free in nodes, %d by the scheduler", what, name, *n[0], *n[1])
			}
		}
	}
}

func amountOf(n int64) *int64 { return &n }
