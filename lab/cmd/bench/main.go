//go:build unix

// Command bench measures nodetriage. Without an argument it measures diagnose with a big cluster: the control plane of
// a lab with generated load. The baseline is a plain paginated protobuf LIST of the same objects in the same run.
// "plans" measures plans of a drain and of upgrades in such a cluster, without a control plane. "placement" compares
// the placement of nodetriage with the real scheduler. "read" compares diagnose of a saved must-gather with rg.
//
// It is a separate module because it links the product and the lab, and the module of the lab decides what the lab
// builds.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/nodetriage/nodetriage/lab"
	"github.com/nodetriage/nodetriage/lab/load"
	"github.com/nodetriage/nodetriage/lab/tool"
)

func main() { tool.Main("bench", run) }

// parts are the measurements other than that of the commands, and what bench starts itself to do, with their arguments.
var parts = map[string]func(ctx context.Context, args []string) error{
	"evict":     evict,
	"read":      reading,
	"plans":     func(context.Context, []string) error { return plans() },
	"placement": func(ctx context.Context, _ []string) error { return placing(ctx) },
	"plan":      func(_ context.Context, args []string) error { return planned(args[0]) },
	"floor":     func(ctx context.Context, args []string) error { return floor(ctx, args[0]) },
	"fill":      func(ctx context.Context, args []string) error { return write(ctx, "fill", args) },
	"beat":      func(ctx context.Context, args []string) error { return write(ctx, "beat", args) },
}

// needsArgument are the parts that bench starts with an argument.
var needsArgument = []string{"plan", "floor", "fill", "beat"}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 && parts[args[0]] != nil {
		if len(args) == 1 && slices.Contains(needsArgument, args[0]) {
			return fmt.Errorf("%s needs an argument", args[0])
		}
		return parts[args[0]](ctx, args[1:])
	}
	return commands(ctx, args)
}

// commands measures the commands of the program on a large cluster.
func commands(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	program := flags.String("nodetriage", "nodetriage", "program to measure")
	runs := flags.Int("runs", 3, "how often; the table shows the best and the worst")
	size := load.Size{}
	flags.IntVar(&size.Nodes, "nodes", 5000, "number of nodes")
	flags.IntVar(&size.Pods, "pods", 150000, "number of pods")
	flags.IntVar(&size.Sick, "sick", 50, "number of nodes that are not well")
	if err := flags.Parse(args); err != nil {
		return err
	}
	path, err := filepath.Abs(*program)
	if err != nil {
		return err
	}
	c, err := lab.Start(ctx, lab.Options{Still: true, Log: os.Stderr})
	if err != nil {
		return err
	}
	defer c.Stop()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	// A separate process writes the objects: a child inherits the peak memory of its parent.
	writer := func(what string) error {
		cmd := exec.CommandContext(ctx, self, what, c.Dir, strconv.Itoa(size.Nodes), strconv.Itoa(size.Pods), strconv.Itoa(size.Sick))
		cmd.Stderr = os.Stderr
		return cmd.Run()
	}
	if err := writer("fill"); err != nil {
		return err
	}
	if err := c.CatchUp(ctx); err != nil {
		return err
	}
	b := bench{plane: c, beat: func() error { return writer("beat") }}
	rows := []*row{
		{name: "bare LIST", command: []string{self, "floor", c.Kubeconfig}},
		{name: "diagnose", command: []string{path, "diagnose", "-o", "json"}},
		{name: "diagnose NODE, sick", command: []string{path, "diagnose", size.Node(1), "-o", "json"}},
		{name: "diagnose NODE, well", command: []string{path, "diagnose", size.Node(size.Nodes - 1), "-o", "json"}},
		{name: "nodes", command: []string{path, "nodes", "-o", "json"}},
		{name: "drain NODE --plan", command: []string{path, "drain", size.Node(size.Nodes - 1), "--plan", "-o", "json"}},
		{name: "predict NODE --event power-off", command: []string{path, "predict", size.Node(size.Nodes - 1), "--event", "power-off", "-o", "json"}},
		{name: "why POD", command: []string{path, "why", size.Pod(size.Pods - 1), "-o", "json"}},
		{name: "check", command: []string{path, "check", "-o", "json"}},
		{name: "upgrade POOL --plan", command: []string{path, "upgrade", bigPool, "--plan", "-o", "json"}},
	}
	if err := b.measure(ctx, &row{name: "bare LIST, to warm up", command: rows[0].command}); err != nil {
		return err
	}
	measured := rows[1:]
	for range *runs {
		for _, r := range append([]*row{rows[0]}, measured...) {
			if err := b.measure(ctx, r); err != nil {
				return err
			}
		}
		// The order changes each time: garbage that a command leaves in the server slows the next one.
		measured = slices.Concat(measured[4:], measured[:4])
	}
	print(rows)
	return nil
}

// write fills the control plane in the folder, or renews the heartbeats of its nodes.
func write(ctx context.Context, what string, args []string) error {
	var numbers [3]int
	for i := range numbers {
		n, err := strconv.Atoi(args[i+1])
		if err != nil {
			return err
		}
		numbers[i] = n
	}
	size := load.Size{Nodes: numbers[0], Pods: numbers[1], Sick: numbers[2]}
	store, err := lab.OpenStore(args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	if what == "beat" {
		return store.Beat(ctx, size)
	}
	begin := time.Now()
	n, err := store.Fill(ctx, size)
	if err == nil {
		fmt.Fprintf(os.Stderr, "%d objects written in %s\n", n, time.Since(begin).Round(time.Second))
	}
	return err
}

func print(rows []*row) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\twall, best\tworst\tCPU, best\tresident, worst\trequests\twall against the LIST beside it, median")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%.1f s\t%.1f s\t%.1f s\t%d MB\t%d\t%.2f\n", r.name, best(r.wall), worst(r.wall), best(r.cpu), int(worst(r.resident)),
			int(worst(r.requests)), median(ratios(r, rows[0])))
	}
	w.Flush()
}
