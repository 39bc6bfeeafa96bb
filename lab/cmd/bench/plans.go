//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/lab/load"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
)

// bigCluster is the cluster of the performance goals: its pools have 500 nodes each.
var bigCluster = load.Size{Nodes: 5000, Pods: 150000}

const bigPool = "pool3"

// took is the time and memory of one plan.
type took struct {
	Load, Plan float64 // s
	Verdict    plan.Verdict
	Moves      int
}

// plans measures the plan of a drain and of an upgrade, each as a separate process.
func plans() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\tto make the evidence\tto plan\tresident\tverdict\tpods")
	for _, row := range []struct{ name, what string }{
		{"drain plan of one node", "drain"}, {"upgrade plan of a pool of 500, surge 33%", "33%"}, {"upgrade plan of a pool of 500, surge 1", "1"},
	} {
		cmd := exec.Command(self, "plan", row.what)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("measure the %s: %w", row.name, err)
		}
		var t took
		if err := json.Unmarshal(out, &t); err != nil {
			return fmt.Errorf("measure the %s: %w", row.name, err)
		}
		usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		fmt.Fprintf(w, "%s\t%.1f s\t%.2f s\t%d MB\t%s\t%d\n", row.name, t.Load, t.Plan, int(maxResident(usage)), t.Verdict, t.Moves)
	}
	return w.Flush()
}

// planned makes one plan and reports its usage: the drain of a node, or the upgrade of a pool with that surge.
func planned(what string) error {
	begin := time.Now()
	s := snapshot(bigCluster, begin)
	t := took{Load: time.Since(begin).Seconds()}
	begin = time.Now()
	if what == "drain" {
		d, err := drain.New(s, drain.Options{Nodes: []string{bigCluster.Node(7)}, Board: scheduler.New})
		if err != nil {
			return err
		}
		t.Verdict, t.Moves = d.Verdict, len(d.Pods)
	} else {
		u, err := upgrade.New(s, upgrade.Options{Pool: bigPool, Surge: what, Board: scheduler.New})
		if err != nil {
			return err
		}
		t.Verdict, t.Moves = u.Verdict, u.Moves
	}
	t.Plan = time.Since(begin).Seconds()
	return json.NewEncoder(os.Stdout).Encode(t)
}
