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

const verifyHelp = `Verify that a fix worked. verify is read-only without --canary. The checks:

  - The node is Ready, and no condition and no taint reports a problem.
  - The heartbeat is recent, and the kubelet is healthy.
  - The log of the kubelet has no message of a known problem since the fix.
  - The pods of the node are running.
  - diagnose finds no cause. It ignores log messages, events and cloud
    operations from before the fix.
  - On AKS, the VM and its pool are healthy (provisioning state, VM agent,
    latest scale set model, node count). Without an Azure login, these checks
    are unknown.

The fix counts as verified only if all these checks pass.

With --canary, verify also runs a small pod on the node. If another node can run
a second pod, verify runs one there too. The first pod must be scheduled, start,
resolve a name and reach the API server. Both pods must reach each other. The
pods need no permissions and meet the restricted Pod Security Standard. verify
deletes these pods at the end. If verify is killed, the next verify --canary (of
any node) deletes them.

--before FILE reads a report that "diagnose -o json" wrote before the fix. verify
then shows for each cause of this report whether it is resolved.

Exit codes:

  0  verified: all checks passed
  1  internal error
  2  bad usage or unreadable input
  3  a check failed
  4  not verified: no check failed, but there are warnings
  5  no check failed, but the result of a check is unknown`

// canaryImage has everything a canary needs, for every architecture. It is in the registry of Kubernetes' own images
// (kubernetes test/utils/image/manifest.go, 1.36.3).
const canaryImage = "registry.k8s.io/e2e-test-images/busybox:1.37.0-1"

// verifyFlags are the flags of verify.
type verifyFlags struct {
	since, before, report string
	canary                bool
	image                 string
	timeout               time.Duration
}

func (f *verifyFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.since, "since", "", "`TIME` Time of the fix: RFC 3339, or a duration such as 15m. Default: the time when the node became Ready, or 10 minutes ago if the node has been Ready for longer.")
	set.StringVar(&f.before, "before", "", "`FILE` Compare with this report of diagnose -o json from before the fix.")
	set.StringVar(&f.report, "report", "", "`FILE` Also read this report of node-check -o json. Use \"-\" for standard input.")
	set.BoolVar(&f.canary, "canary", false, "Also run a canary pod. This writes to the cluster.")
	set.StringVar(&f.image, "canary-image", canaryImage, "`IMAGE` Image of the canary: busybox, or an image with sh, nslookup, wget and httpd.")
	set.DurationVar(&f.timeout, "canary-timeout", 2*time.Minute, "`DURATION` Time limit of the canary.")
}

func (f *verifyFlags) check(src *sourceFlags) error {
	switch {
	case f.canary && len(src.files) > 0:
		return hintf("leave out --canary, or -f", "verify: --canary needs a cluster, and -f is saved evidence")
	case f.timeout < 10*time.Second || f.timeout > execute.MaxCanary:
		return hintf(fmt.Sprintf("use 10s to %s", execute.MaxCanary), "invalid value %q for --canary-timeout", f.timeout)
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
		Short: "Verify that a fix worked",
		Long:  verifyHelp,
		Example: `  nodetriage verify worker-3
  nodetriage verify worker-3 --canary --since 15m
  nodetriage diagnose worker-3 -o json > before.json   # before the fix
  nodetriage verify worker-3 --before before.json      # after the fix
  ssh worker-3 sudo ./nodetriage node-check -o json | nodetriage verify worker-3 --report -
  nodetriage verify worker-3 -f bundle.tar.gz`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			names := nodeNames(args)
			if len(names) != 1 {
				return hintf("nodetriage verify NODE", "verify: one node is required")
			}
			if err := f.check(src); err != nil {
				return err
			}
			from, err := f.from(cmd, src, &out, &know)
			if err != nil {
				return err
			}
			opt := ask.VerifyOptions{Node: names[0], Since: f.since}
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

// from returns the source for one node, including its own report.
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

// readReport reads the output of diagnose -o json.
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
		return nil, hintf("save it with nodetriage diagnose -o json", "read --before %s: not a report of diagnose", path)
	}
	r.NameCertainty()
	return &r, nil
}

// fly runs the canary, if the user wants it and the node can run it.
func (f *verifyFlags) fly(ctx context.Context, src *sourceFlags, v *verify.Verification) error {
	switch {
	case !f.canary && (len(src.files) > 0 || v.Steps[0].Result != verify.Clear): // nothing to offer
		return nil
	case !f.canary:
		v.Add(verify.Step{ID: "canary", Title: "canary", Result: verify.NotRun, Detail: "no test pod was started on the node", How: shell.Format("nodetriage verify {node} --canary", v.Node)})
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
