package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/agent"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/atomicfile"
	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

const nodeCheckHelp = `Run on a node: collect everything that it knows about itself, in one pass and
without the API server: units, kubelet, runtime, logs, file systems with their
inodes, limits, pod network, kernel modules, certificates, clock, name
resolution, the connection to the API server, and the cloud. A probe that hangs is
abandoned after its time limit and reported; so is what may not be read. Nothing is
repaired, restarted or written.

--egress tries the ways out of the node too, which it does not do by itself: the
API server by every address, every resolver over UDP and TCP, the registry of the
sandbox image, package mirrors, metadata, and what the provider's nodes must reach,
each as name, connection, certificate and answer, without any credential.

--save FILE keeps what a reboot or a new image destroys, redacted, in one archive
of at most 20 MB: kernel log, states and kernel stacks of processes, sockets,
mounts, pressure, the end of the logs, and the report. diagnose FILE reads it.

The same rules as those of diagnose find the causes. With -o json it is the report
of the node itself, which diagnose takes as evidence (-f) beside the cluster's.

It needs root for most of what it reads; what it may not read it lists.

To run it on a node with nothing installed there (nodetriage-agent -once writes the
same report; make agent makes it one static file):

  ssh:
    ssh worker-3 sudo ./nodetriage node-check -o json | nodetriage diagnose -

  a debug pod, while the kubelet still starts pods (the node's root is at /host):
    kubectl debug node/worker-3 -it --profile=sysadmin --image=IMAGE -- \
      nodetriage node-check --root /host

  the cloud's run-command, when neither works; Azure returns the last 4 KiB alone:
    az vmss run-command invoke -g GROUP -n SCALE-SET --instance-id ID \
      --command-id RunShellScript --scripts 'nodetriage node-check'
    az vm run-command invoke -g GROUP -n VM \
      --command-id RunShellScript --scripts 'nodetriage node-check'
    aws ssm send-command --instance-ids ID --document-name AWS-RunShellScript \
      --parameters commands='nodetriage node-check'

Exit codes are those of diagnose.`

// threads are created before the first check. A Go program dies if it needs a thread and no process id is left. Each probe may
// block a thread in the kernel.
const threads = 32

func newNodeCheck() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	var steps, force bool
	var save string
	opt := agent.Options{}
	cmd := &cobra.Command{
		Use:   "node-check",
		Short: "On a node: collect and diagnose what it knows about itself",
		Long:  nodeCheckHelp,
		Example: `  nodetriage node-check
  nodetriage node-check -o json > worker-3.json      # diagnose -f worker-3.json takes it
  nodetriage node-check --root /host                 # in a debug pod
  nodetriage node-check --egress                     # and every way out of the node
  nodetriage node-check --save worker-3.tar.gz       # before it is rebooted
  ssh worker-3 sudo ./nodetriage node-check -o json | nodetriage diagnose -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("look at %s: node-check looks at the machine that it runs on; nodetriage diagnose NODE asks about another", args[0])
			}
			if err := out.check(); err != nil {
				return err
			}
			if info, err := os.Stat(opt.Root); err != nil || !info.IsDir() {
				return usagef("look at --root %s: it is not a folder", opt.Root)
			}
			if opt.Root == "/" && runtime.GOOS != "linux" {
				return usagef("look at this machine: nodes run Linux; run it on the node, or name a copy of a node's files with --root")
			}
			if opt.Since <= 0 {
				return usagef("read --since %s: use a time such as 1h", opt.Since)
			}
			if save != "" {
				if err := atomicfile.Check(save, force); err != nil {
					return badUsage(mayForce(fmt.Errorf("save the node's state: %w", err)))
				}
			}
			kept := make(chan *agent.Kept, 1)
			if save != "" && !steps {
				go func() { kept <- agent.New(opt).Gather(cmd.Context()) }() // in parallel with the check, because there may be little time
			}
			var early *nodereport.Report
			if free := agent.New(opt).FreeTasks(); !steps && free >= 0 && free < agent.PlentyOfTasks {
				early = lookThroughChild(cmd.Context(), opt)
			}
			k, err := know.load()
			if err != nil {
				return err
			}
			opt.Signatures = k.Signatures
			if steps {
				return agent.New(opt).LookSlowly(cmd.Context(), func(r *nodereport.Report) error { return json.NewEncoder(cmd.OutOrStdout()).Encode(r) })
			}
			report := early
			if report == nil {
				agent.ReserveThreads(threads)
				report = agent.New(opt).Look(cmd.Context())
			}
			if err := cmd.Context().Err(); err != nil {
				return fmt.Errorf("look at this node: %w", err)
			}
			redact.New(false).Object(report)
			if save != "" {
				state := <-kept
				release := hold(cmd.Context(), "the file of --save is finished")
				err := writeKept(save, force, state, report)
				release()
				if err != nil {
					return err
				}
			}
			if out.format == "json" {
				if err := writeNodeReport(cmd.OutOrStdout(), report); err != nil {
					return err
				}
			}
			report.Source = "node-check"
			b := collect.NewBuilder(evidence.Source{Kind: "node", Name: report.Node}, k.Signatures)
			b.AddReport(report)
			s := b.Snapshot()
			r := k.Judge(s, time.Time{})
			if out.format != "json" {
				if err := reportForms.write(cmd.OutOrStdout(), &out, judged{&ask.Diagnosis{Report: r, Snapshot: s}, k}); err != nil {
					return err
				}
			}
			if err := writeNodeFacts(cmd.OutOrStdout(), &out, report); err != nil {
				return err
			}
			return verdictCode(r.Verdict)
		},
	}
	know.register(cmd.Flags())
	out.register(cmd.Flags(), slices.DeleteFunc(withoutPath(reportForms.names()), func(name string) bool { return name == "yaml" })...) // JSON is the node report itself
	cmd.Flags().StringVar(&opt.Root, "root", "/", "the node's root is this `DIR`")
	cmd.Flags().StringVar(&opt.Node, "node", "", "`NAME` of the node in the cluster, if the node itself does not tell")
	cmd.Flags().DurationVar(&opt.Since, "since", time.Hour, "read logs as far back as this `TIME`")
	cmd.Flags().BoolVar(&steps, stepsFlag, false, "run one probe after another and write the report so far after each, one per line")
	cmd.Flags().BoolVar(&opt.Egress, "egress", false, "try the ways out of the node too: API server, resolvers, registry, mirrors, cloud")
	cmd.Flags().StringVar(&save, "save", "", "keep what a reboot destroys, redacted, in this `FILE` (.tar.gz)")
	cmd.Flags().BoolVar(&force, "force", false, "replace the file of --save if it exists already")
	_ = cmd.Flags().MarkHidden(stepsFlag) // used between a process and its child
	return cmd
}

// writeNodeReport writes a report that diagnose can read.
func writeNodeReport(w io.Writer, r *nodereport.Report) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
