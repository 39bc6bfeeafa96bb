//go:build unix

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/play"
	"github.com/nodetriage/nodetriage/lab/race"
)

// managed raises the request rates of controllers and scheduler to those of the Kubernetes scalability tests. With the
// defaults of 20 and 50 requests a second, both programs would mostly wait for replacement pods.
var managed = []string{"--kube-api-qps=100", "--kube-api-burst=100"}

// garbage makes garbage collection rare in all processes of the race. Both cores are busy with the control plane, which
// normally has its own cores, and garbage collection would take an eighth of its time.
const garbage = 1000

// rest is the pause between building a pool and draining it, because the controllers still process the new objects.
const rest = 5 * time.Second

// evict compares nodetriage and kubectl, with its defaults, on equal pools of one control plane.
func evict(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bench evict", flag.ContinueOnError)
	program := flags.String("nodetriage", "nodetriage", "program to measure")
	size := race.Size{}
	flags.IntVar(&size.Nodes, "nodes", 10, "nodes to empty")
	flags.IntVar(&size.Apps, "apps", 20, "applications, each with a budget of a tenth")
	flags.IntVar(&size.Replicas, "replicas", 50, "pods of each")
	if err := flags.Parse(args); err != nil {
		return err
	}
	debug.SetGCPercent(garbage)
	if err := os.Setenv("GOGC", strconv.Itoa(garbage)); err != nil {
		return err
	}
	if err := batch(); err != nil {
		return err
	}
	path, err := filepath.Abs(*program)
	if err != nil {
		return err
	}
	kubectl, err := lab.BuildKubectl(ctx, os.Stderr)
	if err != nil {
		return err
	}
	c, err := lab.Start(ctx, lab.Options{Log: os.Stderr, ControllerArgs: managed, SchedulerArgs: managed})
	if err != nil {
		return err
	}
	defer c.Stop()
	client, err := c.Client()
	if err != nil {
		return err
	}
	kubelets, err := play.Start(ctx, client, time.Second)
	if err != nil {
		return err
	}
	rows := []struct {
		name    string
		command []string
	}{
		{"nodetriage drain", []string{path, "drain", "--kubeconfig", c.Kubeconfig, "--yes"}},
		{"kubectl drain", []string{kubectl, "drain", "--kubeconfig", c.Kubeconfig}},
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\tpods\twall\tpods a second\tevents watched\tbudgets violated")
	var took []time.Duration
	for i, r := range rows {
		pool, err := race.Build(ctx, client, kubelets, fmt.Sprintf("pool-%d", i), size)
		if err != nil {
			return err
		}
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return ctx.Err()
		}
		fmt.Fprintf(os.Stderr, "%s: %d pods on %d nodes\n", r.name, size.Pods(), size.Nodes)
		result, err := pool.Run(ctx, append(r.command, pool.Nodes...)...)
		if err != nil {
			return err
		}
		took = append(took, result.Took)
		fmt.Fprintf(w, "%s\t%d\t%.1f s\t%.1f\t%d\t%d\n", r.name, size.Pods(), result.Took.Seconds(), float64(size.Pods())/result.Took.Seconds(),
			result.Guard.Events, len(result.Guard.Violations))
		if len(result.Guard.Violations) > 0 {
			return fmt.Errorf("%s violated budgets: %v", r.name, result.Guard.Violations)
		}
	}
	fmt.Fprintf(w, "ratio\t\t%.1f\n", took[1].Seconds()/took[0].Seconds())
	return w.Flush()
}
