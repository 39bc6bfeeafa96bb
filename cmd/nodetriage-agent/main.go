// Command nodetriage-agent keeps a fresh report of the node that it runs on: in a file, and on a local port
// together with figures about itself. It judges nothing and changes nothing; diagnose takes the report as evidence.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/nodetriage/nodetriage/agent"
	"github.com/nodetriage/nodetriage/signatures"
)

// A node pays for its agent, so the agent is told to stay small: one processor, and a collector of garbage that runs
// before the memory grows. With less room a look takes three times the processor, for a megabyte at rest.
const (
	memoryGoal = 24 << 20
	growth     = 50 // percent by which the heap may grow between two collections; what lives is 8 MB
	processors = 1
	threads    = 24                     // more than all probes need at once
	pace       = 100 * time.Millisecond // nobody waits for the look
)

// linked is the version, set by the Makefile and by a release.
var linked string

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	runtime.GOMAXPROCS(processors)
	debug.SetMemoryLimit(memoryGoal)
	debug.SetGCPercent(growth)
	release() // what the packages needed to set themselves up
	flags := flag.NewFlagSet("nodetriage-agent", flag.ContinueOnError)
	opt := agent.Options{}
	flags.StringVar(&opt.Root, "root", "/", "the node's root is this `DIR`")
	flags.StringVar(&opt.Node, "node", os.Getenv("NODE_NAME"), "`NAME` of the node in the cluster; default $NODE_NAME, or what the node tells")
	flags.DurationVar(&opt.Since, "since", time.Hour, "read logs of this `TIME` back")
	once := flags.Bool("once", false, "run once, write the report to standard output, and exit")
	every := flags.Duration("every", 2*time.Minute, "`TIME` between two runs")
	dir := flags.String("dir", "/var/log/nodetriage", "keep the report in this `DIR`; the kubelet serves what is below /var/log")
	listen := flags.String("listen", "127.0.0.1:10299", "serve /report, /metrics and /healthz at this `ADDRESS`; empty: nowhere")
	version := flags.Bool("version", false, "print the version, and exit")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0 || *every < 10*time.Second || opt.Since <= 0:
		fmt.Fprintln(os.Stderr, "nodetriage-agent: it takes only flags; -every is 10s or more, and -since more than 0")
		return 2
	}
	if *version {
		fmt.Fprintln(os.Stdout, "nodetriage-agent", cmp.Or(linked, "of no release"), runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := work(ctx, opt, *once, *every, *dir, *listen); err != nil {
		fmt.Fprintln(os.Stderr, "nodetriage-agent: "+err.Error())
		return 1
	}
	return 0
}

// release gives freed memory back to the system: it is not needed until the next look.
func release() {
	runtime.GC() // a second collection follows: pools let go of their buffers in two steps
	debug.FreeOSMemory()
}

func work(ctx context.Context, opt agent.Options, once bool, every time.Duration, dir, listen string) error {
	set, err := signatures.Builtin()
	if err != nil {
		return fmt.Errorf("read the signatures: %w", err)
	}
	set.DropTexts()
	release() // what it took to read them
	opt.Signatures = set
	if !once {
		opt.Pace = pace
	}
	a := agent.New(opt)
	if once {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(a.Look(ctx)); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
		return nil
	}
	agent.ReserveThreads(threads)
	d := &daemon{look: a.Look, store: store{dir: dir}}
	if listen != "" {
		if err := d.serve(ctx, listen); err != nil {
			return err
		}
	}
	d.loop(ctx, every)
	return nil
}
