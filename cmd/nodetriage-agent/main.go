// Command nodetriage-agent writes a report of its node to a file and serves it on a local port, with metrics of the
// agent. When the node becomes unhealthy, it saves the evidence that a reboot destroys. It judges nothing and changes
// nothing; diagnose reads the report as evidence. A child process takes each snapshot and exits (docs/decisions/0015).
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
)

const name = "nodetriage-agent"

// memoryGoal is the soft memory limit of Go for one process. A snapshot needs half of it, and saving evidence the rest.
const memoryGoal = 40 << 20

// threads exceeds the number that all probes need at once.
const threads = 24

// pace is the time between the starts of two probes. A snapshot is not urgent.
const pace = 100 * time.Millisecond

// linked is the version. The Makefile and the release set it.
var linked string

func main() { os.Exit(run(os.Args[1:])) }

// settings are the command line options.
type settings struct {
	opt           agent.Options
	once, version bool
	every         time.Duration
	dir, listen   string
}

func parse(args []string) (settings, error) {
	var s settings
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.StringVar(&s.opt.Root, "root", "/", "the node's root is this `DIR`")
	flags.StringVar(&s.opt.Node, "node", os.Getenv("NODE_NAME"), "`NAME` of the node in the cluster; default $NODE_NAME, or what the node tells")
	flags.DurationVar(&s.opt.Since, "since", time.Hour, "read logs of this `TIME` back")
	flags.BoolVar(&s.once, "once", false, "run once, write the report to standard output, and exit")
	flags.DurationVar(&s.every, "every", 2*time.Minute, "`TIME` between two runs")
	flags.StringVar(&s.dir, "dir", "/var/log/nodetriage", "keep the report in this `DIR`; the kubelet serves what is below /var/log")
	flags.StringVar(&s.listen, "listen", "127.0.0.1:10299", "serve /report, /metrics and /healthz at this `ADDRESS`; empty: nowhere")
	flags.BoolVar(&s.version, "version", false, "print the version, and exit")
	err := flags.Parse(args)
	if err == nil && (flags.NArg() > 0 || s.every < 10*time.Second || s.opt.Since <= 0) {
		err = errors.New("it takes only flags; -every is 10s or more, and -since more than 0")
		fmt.Fprintln(os.Stderr, name+": "+err.Error())
	}
	if !s.once {
		s.opt.Pace = pace
	}
	return s, err
}

func run(args []string) int {
	look := len(args) > 0 && args[0] == lookCommand
	if look {
		args = args[1:]
	}
	s, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case s.version:
		fmt.Fprintln(os.Stdout, name, cmp.Or(linked, "of no release"), runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
		return 0
	}
	debug.SetMemoryLimit(memoryGoal)
	own := looker{opt: s.opt, store: store{s.dir}}
	switch {
	case look:
		err = runChild(own)
	case s.once:
		err = lookOnce(s.opt)
	default:
		err = watch(own, s, args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, name+": "+err.Error())
		return 1
	}
	return 0
}

func lookOnce(opt agent.Options) error {
	runtime.GOMAXPROCS(1)
	var err error
	if opt.Signatures, err = smallSignatures(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	e := json.NewEncoder(os.Stdout)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(agent.New(opt).Look(ctx)); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// watch takes snapshots until it receives a signal.
func watch(own looker, s settings, args []string) error {
	runtime.GOMAXPROCS(2) // one serves requests while the other starts a process
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	agent.ReserveThreads(threads)
	l := &looks{children: children{args: args}, own: own}
	d := &daemon{look: l.look, carried: l.begin(ctx)}
	if s.listen != "" {
		if err := d.serve(ctx, s.listen); err != nil {
			return err
		}
	}
	d.loop(ctx, s.every)
	return nil
}

// release returns freed memory to the operating system. The agent does not need it until the next snapshot.
func release() {
	runtime.GC() // a second collection follows because pools free their buffers in two steps
	debug.FreeOSMemory()
}
