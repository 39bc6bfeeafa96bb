package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nodetriage/nodetriage/answers/verify"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/execute"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/kube"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

const verifyHelp = `See whether a fix worked. Each check is a step: the node is Ready, no condition
reports a problem, no taint marks a fault, the heartbeat is fresh, the kubelet
says ok, its log is quiet since the fix, the pods of the node run, and the rules of
diagnose, run again on what happened since, find nothing. On AKS the machine and
its pool must be healthy too: succeeded, the agent ready, the newest model, as many
machines as are wanted; without a login there that is unknown. A fix is proven by
what is clear, never by what is unknown. It only reads.

With --canary it also proves it: a small pod is created that must be scheduled to
the node, and one on another node to talk with. It starts, resolves a name,
reaches the API server, and talks with the other both ways; every step has its
time. The pods need no rights, fit Pod Security's restricted profile, and are
removed whatever happens; what a killed run left behind goes with the next.

--before takes the report of diagnose -o json from before the fix and shows for
each cause whether it is gone.

Exit codes: 0 all clear, 1 the tool failed, 2 bad usage or unreadable input, 3 a
step is not clear, 4 warnings only, 5 something that must be clear is unknown.`

// canaryImage has what a canary needs, for every architecture, and lies where Kubernetes' own images do
// (kubernetes test/utils/image/manifest.go, 1.36.3).
const canaryImage = "registry.k8s.io/e2e-test-images/busybox:1.37.0-1"

// verifyFlags say what is verified, and how far.
type verifyFlags struct {
	since, before, report string
	canary                bool
	image                 string
	timeout               time.Duration
}

func (f *verifyFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.since, "since", "", "the fix was made at this `TIME` (RFC 3339) or so long ago (15m); default: when the node became Ready, at most 10m ago")
	set.StringVar(&f.before, "before", "", "compare with this `FILE`, the report of diagnose -o json from before the fix")
	set.StringVar(&f.report, "report", "", "read what the node reports about itself from this `FILE`, written by node-check -o json; -: standard input")
	set.BoolVar(&f.canary, "canary", false, "run a canary pod too: this writes to the cluster")
	set.StringVar(&f.image, "canary-image", canaryImage, "`IMAGE` of the canary: busybox, or one with its sh, nslookup, wget and httpd")
	set.DurationVar(&f.timeout, "canary-timeout", 2*time.Minute, "give the canary this much `TIME`")
}

func (f *verifyFlags) check(src *sourceFlags) error {
	switch {
	case f.canary && len(src.files) > 0:
		return usagef("verify: a canary needs a cluster; leave --canary or -f out")
	case f.timeout < 10*time.Second || f.timeout > execute.MaxCanary:
		return usagef("canary-timeout %s: use 10s to %s", f.timeout, execute.MaxCanary)
	}
	return nil
}

func newVerify() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	var f verifyFlags
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "verify NODE",
		Short: "See whether a fix worked",
		Long:  verifyHelp,
		Example: `  nodetriage verify worker-3
  nodetriage verify worker-3 --canary --since 15m
  nodetriage diagnose worker-3 -o json > before.json   # before the fix
  nodetriage verify worker-3 --before before.json      # after it
  ssh worker-3 sudo ./nodetriage node-check -o json | nodetriage verify worker-3 --report -
  nodetriage verify worker-3 -f bundle.tar.gz`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if len(args) != 1 {
				return usagef("verify: name one node; %s --help shows how", cmd.CommandPath())
			}
			if err := f.check(src); err != nil {
				return err
			}
			from, err := f.from(cmd, src, &out, &know)
			if err != nil {
				return err
			}
			opt := ask.VerifyOptions{Node: nodeName(args[0]), Since: f.since}
			if opt.Before, err = readReport(f.before); err != nil {
				return err
			}
			v, err := ask.Verify(cmd.Context(), from, opt)
			if err != nil {
				return err
			}
			if err := f.fly(cmd.Context(), src, v); err != nil {
				return err
			}
			if err := verifyForms.write(cmd.OutOrStdout(), &out, v); err != nil {
				return err
			}
			return resultCode(v.Verdict)
		},
	}
	know.register(cmd.Flags())
	f.register(cmd.Flags())
	out.register(cmd.Flags(), verifyForms.names()...)
	src.register(cmd.Flags())
	src.cloud.register(cmd.Flags())
	return cmd
}

// from is the evidence about one node, and what the node reports about itself.
func (f *verifyFlags) from(cmd *cobra.Command, src *sourceFlags, out *outputFlags, know *knowledgeFlags) (ask.From, error) {
	from, err := src.from(cmd, out, know)
	if err != nil || f.report == "" {
		return from, err
	}
	switch source := from.Source.(type) {
	case ask.Files:
		source.Paths = append(source.Paths, f.report)
		from.Source = source
	case ask.Cluster:
		source.Beside = ask.Files{Paths: []string{f.report}, Stdin: cmd.InOrStdin()}
		from.Source = source
	}
	return from, nil
}

// readReport reads what diagnose -o json wrote.
func readReport(path string) (*triage.Report, error) {
	if path == "" {
		return nil, nil
	}
	data, err := readFile(path, maxReport)
	if err != nil {
		return nil, usagef("read --before %s: %w", path, err)
	}
	var r triage.Report
	if err := bounds.JSON(data, &r); err != nil || r.Kind != "Report" {
		return nil, usagef("read --before %s: it is not a report of diagnose -o json", path)
	}
	r.NameCertainty()
	return &r, nil
}

// fly runs the canary, if it is wanted and the node can have one.
func (f *verifyFlags) fly(ctx context.Context, src *sourceFlags, v *verify.Verification) error {
	switch {
	case !f.canary && len(src.files) > 0:
		return nil
	case !f.canary:
		v.Add(verify.Step{ID: "canary", Title: "canary", Result: verify.NotRun, Detail: "no pod was started to prove it", How: shell.Format("nodetriage verify {node} --canary", v.Node)})
		return nil
	case v.Steps[0].Result != verify.Clear:
		v.Add(verify.Step{ID: "canary", Title: "canary", Result: verify.Unknown, Detail: "not run: the node is not Ready"})
		return nil
	}
	reader, writer, err := src.writer(false)
	if err != nil {
		return err
	}
	namespace, _, err := src.cluster.ToRawKubeConfigLoader().Namespace()
	if err != nil {
		return usagef("find the namespace for the canary: %w", err)
	}
	node, err := kube.Get(ctx, reader, kube.Nodes, "", v.Node)
	if err != nil {
		return fmt.Errorf("run a canary: %w", err)
	}
	fmt.Fprintf(os.Stderr, "nodetriage: canary: up to 3 pods of %s in namespace %s, on %s and another node, for at most %s; then they are removed\n",
		report.Clean(f.image), report.Clean(namespace), report.Clean(v.Node), f.timeout)
	defer hold(ctx, "the canary is deleted")()
	v.Add(execute.Canary(ctx, execute.CanaryOptions{
		Reader: reader, Writer: writer, By: whoami(), Node: node, Namespace: namespace, Image: f.image, Timeout: f.timeout,
	})...)
	return nil
}

func resultCode(r verify.Result) error {
	switch r {
	case verify.NotClear:
		return exitProblem
	case verify.Unknown:
		return exitUnclear
	case verify.Warning:
		return exitWarnings
	}
	return nil
}
