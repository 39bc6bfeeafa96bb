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
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

const nodeCheckHelp = `Collect and diagnose what a node knows about itself. Run it on the node. It does
not need the API server, and reads in one pass: systemd units, kubelet, runtime,
logs, file systems and inodes, limits, pod network, kernel modules,
certificates, clock, DNS, the connection to the API server, and the cloud. A
probe that hangs is abandoned after its time limit and reported. node-check
repairs and restarts nothing.

--egress also tests outgoing connections: the API server by every address, every
DNS resolver over UDP and TCP, the registry of the sandbox image, package
mirrors, the metadata service, and the endpoints that nodes of the provider
require. No credentials are used.

--save FILE saves the data that a reboot or reimage destroys, redacted, in an
archive of at most 20 MB: kernel log, states and kernel stacks of processes,
sockets, mounts, pressure, the end of the logs, and the report. diagnose FILE
reads it.

-o json writes the report of the node, which diagnose reads as evidence (-f).

Most probes need root. What cannot be read is listed.

To run it on a node where nothing is installed (nodetriage-agent -once writes
the same report, and is one static file):

  ssh:
    ssh worker-3 sudo ./nodetriage node-check -o json | nodetriage diagnose -

  a debug pod, if the kubelet can start pods (root file system at /host):
    kubectl debug node/worker-3 -it --profile=sysadmin --image=IMAGE -- \
      nodetriage node-check --root /host

  run-command of the cloud, otherwise; Azure returns only the last 4 KiB:
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
		Short: "Collect and diagnose local data, on the node",
		Long:  nodeCheckHelp,
		Example: `  nodetriage node-check
  nodetriage node-check -o json > worker-3.json      # for diagnose -f worker-3.json
  nodetriage node-check --root /host                 # in a debug pod
  nodetriage node-check --egress                     # also test outgoing connections
  nodetriage node-check --save worker-3.tar.gz       # before a reboot
  ssh worker-3 sudo ./nodetriage node-check -o json | nodetriage diagnose -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return hintf(string(shell.Format("nodetriage diagnose {node}", args[0]))+" checks another node", "node-check takes no arguments: it checks the node that it runs on")
			}
			if err := out.check(); err != nil {
				return err
			}
			if info, err := os.Stat(opt.Root); err != nil || !info.IsDir() {
				return usagef("--root %s is not a folder", opt.Root)
			}
			if opt.Root == "/" && runtime.GOOS != "linux" {
				return hintf("run it on the node, or use --root with a copy of its files", "node-check runs only on Linux")
			}
			if opt.Since <= 0 {
				return hintf("use a duration like 1h", "invalid value %q for --since", opt.Since)
			}
			if save != "" {
				if err := atomicfile.Check(save, force); err != nil {
					return mayForce(fmt.Errorf("save the node's state: %w", err))
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
				return fmt.Errorf("check this node: %w", err)
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
				if err := writeNodeCheck(cmd.OutOrStdout(), &out, judged{&ask.Diagnosis{Report: r, Snapshot: s}, k}, report); err != nil {
					return err
				}
			}
			return verdictCode(r.Verdict)
		},
	}
	know.register(cmd.Flags())
	out.register(cmd.Flags(), slices.DeleteFunc(withoutPath(reportForms.names()), func(name string) bool { return name == "yaml" })...) // JSON is the node report itself
	cmd.Flags().StringVar(&opt.Root, "root", "/", "`DIR` Root file system of the node.")
	cmd.Flags().StringVar(&opt.Node, "node", "", "`NAME` Name of the node in the cluster, if it cannot be detected.")
	cmd.Flags().DurationVar(&opt.Since, "since", time.Hour, "`DURATION` Read logs of this period.")
	cmd.Flags().BoolVar(&steps, stepsFlag, false, "Run one probe after another and write the report so far after each, one per line.")
	cmd.Flags().BoolVar(&opt.Egress, "egress", false, "Also test outgoing connections: API server, DNS resolvers, registry, package mirrors, cloud.")
	cmd.Flags().StringVar(&save, "save", "", "`FILE` Save the data that a reboot destroys, redacted, in this file (.tar.gz).")
	cmd.Flags().BoolVar(&force, "force", false, "Replace an existing file of --save.")
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
