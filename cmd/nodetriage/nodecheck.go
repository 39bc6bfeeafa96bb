package main

import (
	"context"
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

const nodeCheckHelp = `Collect and diagnose the local data of a node. Run node-check on the node. It
does not need the API server. In one pass, it reads systemd units, the kubelet,
the runtime, logs, file systems, inodes and limits. It also checks the pod
network, kernel modules, certificates, the clock, DNS, the connection to the API
server, and the cloud metadata service. Each step has a time limit. If a step
hangs, node-check stops waiting at the limit and reports the step. node-check
does not repair or restart anything.

--egress also tests outgoing connections: every address of the API server, every
DNS resolver (UDP and TCP), the registry of the sandbox image, package mirrors,
the metadata service, and the endpoints that nodes of the provider require. No
credentials are used.

--save FILE writes an archive (at most 20 MB) with the data that a reboot or
reimage destroys: kernel log, states and kernel stacks of processes, sockets,
mounts, resource pressure (PSI), the end of the logs, and the report. Secrets
are redacted. diagnose FILE reads the archive.

-o json writes the report of the node, which diagnose reads as evidence (-f).

Most steps need root. node-check lists the data that it cannot read.

If nodetriage is not installed on the node, copy the program there first. You
can copy the smaller program nodetriage-agent instead: "nodetriage-agent -once"
writes the same report as "nodetriage node-check -o json". Both are single
static files. Ways to run node-check on a node:

  ssh:
    ssh worker-3 sudo ./nodetriage node-check -o json | nodetriage diagnose -

  a debug pod, if the kubelet can start pods (IMAGE must contain nodetriage; the
  root file system of the node is at /host):
    kubectl debug node/worker-3 -it --profile=sysadmin --image=IMAGE -- \
      nodetriage node-check --root /host

  the run command of the cloud (the program must be on the node, and Azure
  returns only the last 4 KiB of output):
    az vmss run-command invoke -g GROUP -n SCALE-SET --instance-id ID \
      --command-id RunShellScript --scripts 'nodetriage node-check'
    az vm run-command invoke -g GROUP -n VM \
      --command-id RunShellScript --scripts 'nodetriage node-check'
    aws ssm send-command --instance-ids ID --document-name AWS-RunShellScript \
      --parameters commands='nodetriage node-check'

Exit codes are the same as for diagnose.`

// threads are created before the first check. A Go program dies if it needs a thread and no process id is left. Each probe may
// block a thread in the kernel.
const threads = 32

// nodeCheck holds the flags of node-check.
type nodeCheck struct {
	know  knowledgeFlags
	out   outputFlags
	opt   agent.Options
	steps bool // see stepsFlag
	save  string
	force bool
}

func newNodeCheck() *cobra.Command {
	n := &nodeCheck{}
	cmd := &cobra.Command{
		Use:   "node-check",
		Short: "Diagnose a node from inside (run it on the node)",
		Long:  nodeCheckHelp,
		Example: `  nodetriage node-check
  nodetriage node-check -o json > worker-3.json      # for diagnose -f worker-3.json
  nodetriage node-check --root /host                 # in a debug pod
  nodetriage node-check --egress                     # also test outgoing connections
  nodetriage node-check --save worker-3.tar.gz       # before a reboot
  ssh worker-3 sudo ./nodetriage node-check -o json | nodetriage diagnose -`,
		RunE: n.run,
	}
	n.know.register(cmd.Flags())
	n.out.register(cmd.Flags(), slices.DeleteFunc(withoutPath(reportForms.names()), func(name string) bool { return name == "yaml" })...) // JSON is the node report itself
	cmd.Flags().StringVar(&n.opt.Root, "root", "/", "`DIR` Root file system of the node.")
	cmd.Flags().StringVar(&n.opt.Node, "node", "", "`NAME` Name of the node in the cluster, if it cannot be detected.")
	cmd.Flags().DurationVar(&n.opt.Since, "since", time.Hour, "`DURATION` Read the logs of the last DURATION.")
	cmd.Flags().BoolVar(&n.steps, stepsFlag, false, "Run one probe after another and write the report so far after each, one per line.")
	cmd.Flags().BoolVar(&n.opt.Egress, "egress", false, "Also test outgoing connections: API server, DNS resolvers, registry, package mirrors, cloud.")
	cmd.Flags().StringVar(&n.save, "save", "", "`FILE` Save the data that a reboot destroys to this file (.tar.gz). Secrets are redacted.")
	cmd.Flags().BoolVar(&n.force, "force", false, "Overwrite the --save file if it exists.")
	_ = cmd.Flags().MarkHidden(stepsFlag) // used between a process and its child
	return cmd
}

// run checks the node, saves its state, and prints the answer.
func (n *nodeCheck) run(cmd *cobra.Command, args []string) error {
	if err := n.check(args); err != nil {
		return err
	}
	ctx := cmd.Context()
	kept := make(chan *agent.Kept, 1)
	if n.save != "" && !n.steps {
		saving := agent.New(n.opt)
		go func() { kept <- saving.Gather(ctx) }() // in parallel with the check, because there may be little time
	}
	early := n.lookEarly(ctx)
	k, err := n.know.load()
	if err != nil {
		return err
	}
	n.opt.Signatures = k.Signatures
	if n.steps {
		return agent.New(n.opt).LookSlowly(ctx, func(r *nodereport.Report) error { return json.NewEncoder(cmd.OutOrStdout()).Encode(r) })
	}
	report := early
	if report == nil {
		agent.ReserveThreads(threads)
		report = agent.New(n.opt).Look(ctx)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("check this node: %w", err)
	}
	redact.New(false).Object(report)
	if n.save != "" {
		if err := n.writeKept(ctx, <-kept, report); err != nil {
			return err
		}
	}
	return n.answer(cmd.OutOrStdout(), k, report)
}

// check returns an error if the flags do not fit together or the check cannot run here.
func (n *nodeCheck) check(args []string) error {
	if len(args) > 0 {
		return hintf(string(shell.Format("nodetriage diagnose {node}", args[0]))+" checks another node", "node-check takes no arguments: it checks the node that it runs on")
	}
	if err := n.out.check(); err != nil {
		return err
	}
	if info, err := os.Stat(n.opt.Root); err != nil || !info.IsDir() {
		return usagef("--root %s is not a folder", n.opt.Root)
	}
	if n.opt.Root == "/" && runtime.GOOS != "linux" {
		return hintf("run it on the node, or use --root with a copy of its files", "node-check runs only on Linux")
	}
	if n.opt.Since <= 0 {
		return hintf("use a duration like 1h", "invalid value %q for --since", n.opt.Since)
	}
	if n.save == "" {
		return nil
	}
	if err := atomicfile.Check(n.save, n.force); err != nil {
		return mayForce(fmt.Errorf("save the node's state: %w", err))
	}
	return nil
}

// lookEarly checks a node that is short of process ids, before anything else needs one. It returns nil for other nodes.
func (n *nodeCheck) lookEarly(ctx context.Context) *nodereport.Report {
	if n.steps {
		return nil
	}
	free := agent.New(n.opt).FreeTasks()
	if free < 0 || free >= agent.PlentyOfTasks {
		return nil
	}
	return lookThroughChild(ctx, n.opt)
}

// writeKept writes the file of --save.
func (n *nodeCheck) writeKept(ctx context.Context, kept *agent.Kept, report *nodereport.Report) error {
	defer hold(ctx, "the file of --save is finished")()
	return writeKept(n.save, n.force, kept, report)
}

// answer prints the report of the node as JSON, or its diagnosis, and returns the exit code of the verdict.
func (n *nodeCheck) answer(w io.Writer, k *ask.Knowledge, report *nodereport.Report) error {
	if n.out.format == "json" {
		if err := writeNodeReport(w, report); err != nil {
			return err
		}
	}
	report.Source = "node-check"
	b := collect.NewBuilder(evidence.Source{Kind: "node", Name: report.Node}, k.Signatures)
	b.AddReport(report)
	s := b.Snapshot()
	r := k.Judge(s, time.Time{})
	if n.out.format != "json" {
		if err := writeNodeCheck(w, &n.out, judged{&ask.Diagnosis{Report: r, Snapshot: s}, k}, report); err != nil {
			return err
		}
	}
	return verdictCode(r.Verdict)
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
