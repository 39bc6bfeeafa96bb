package main

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

const diagnoseHelp = `Find the root cause of broken nodes. The answer shows the evidence, the impact,
the fix and how to verify it, the causes that were ruled out, and the checks
that were not possible.

Without arguments, diagnose reads the cluster of the current context. With NODE,
only data about this node is read, not the whole cluster. PATH is saved
evidence: a bundle, a folder, kubectl output (JSON, YAML, tables, describe),
logs or any pasted text. Use "-" for standard input. The format is detected from
the content.

An argument that is an existing file or folder is a PATH, any other is a NODE.

Required evidence is nodes, pods, events, and a Lease or a recent status of each
node. Without it, the verdict is never HEALTHY. "nodetriage explain verdict"
describes the verdicts. Resolved problems are listed separately and do not
affect the verdict.

To suppress known problems until a date, pass a file with --exceptions:

  exceptions:
  - {cause: disk-pressure, subject: node/gpu-*, until: 2026-12-31,
     why: "disks are ordered", who: alice}

All fields are required. "who" is the person or team that accepts the risk.

Or annotate the object ("who" is not required):

  nodetriage.dev/ignore: "CAUSE until=2026-12-31 why=..."

The output shows the number of suppressed findings and the exceptions that have
expired. -o wide also lists the suppressed findings. Exceptions and filters
(--cause, --pool, --severity, --certainty) hide findings. The verdict and the
exit code reflect only the findings that are not hidden.

Exit codes:

  0  HEALTHY: no problem found
  1  internal error
  2  bad usage or unreadable input
  3  BROKEN: problem found
  4  WARNING: warnings only
  5  UNKNOWN: not enough evidence`

func newDiagnose() *cobra.Command {
	d := diagnoseView{src: newSourceFlags()}
	cmd := &cobra.Command{
		Use:   "diagnose [NODE...] [PATH...|-]",
		Short: "Find the root cause of broken nodes",
		Long:  diagnoseHelp,
		Example: `  nodetriage diagnose                       # the cluster of the current context
  nodetriage diagnose worker-3              # one node
  nodetriage diagnose worker-3 -w           # refresh after each change
  nodetriage diagnose incident/             # a folder of saved output and logs
  journalctl -u kubelet | nodetriage diagnose -
  nodetriage diagnose -o html worker-3 > worker-3.html
  nodetriage diagnose --example             # a recorded incident`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(d.out.check(), d.watch.check(d.src, pathsOf(args), &d.out)); err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if d.watch.on {
				if cmd.Flags().Changed("example") {
					return hintf("leave -w out", "--watch cannot be combined with --example, which never changes")
				}
				nodes, _ := split(args)
				wake, err := d.src.follow(cmd.Context(), nodes...)
				if err != nil {
					return err
				}
				d.watch.wake, d.watch.errors = wake, cmd.ErrOrStderr()
				return d.watch.run(cmd.Context(), w, &d.out, func() (look, error) { return d.look(cmd, args) })
			}
			j, err := d.judge(cmd, args)
			if err != nil {
				return err
			}
			if err := reportForms.write(w, &d.out, j); err != nil {
				return err
			}
			return verdictCode(j.Report.Verdict)
		},
	}
	d.know.register(cmd.Flags())
	d.out.register(cmd.Flags(), reportForms.names()...)
	d.watch.register(cmd.Flags())
	d.src.register(cmd.Flags())
	d.src.hide.register(cmd.Flags())
	d.src.cloud.register(cmd.Flags())
	d.quiet.register(cmd.Flags())
	d.quiet.registerFilter(cmd.Flags())
	cmd.Flags().StringVar(&d.trace, "trace", "", "`ID` Show how messages were matched and how causes were ranked. ID limits this to one cause or symptom, and must follow an equals sign: --trace=runtime-hung.")
	cmd.Flags().Lookup("trace").NoOptDefVal = traceAll
	cmd.Flags().StringVar(&d.example, "example", "", "`NAME` Diagnose a recorded incident that ships with the program. NAME must follow an equals sign: --example=stuck-upgrade. Without NAME, list all incidents and diagnose the incident runtime-hang.")
	cmd.Flags().Lookup("example").NoOptDefVal = listExamples
	return cmd
}

// traceAll selects the trace of all causes.
const traceAll = "all"

// diagnoseView holds the flags that select parts of a diagnosis.
type diagnoseView struct {
	know    knowledgeFlags
	out     outputFlags
	src     *sourceFlags
	quiet   quietFlags
	watch   watchFlags
	trace   string
	example string
}

// judge reads and diagnoses the evidence of the arguments.
func (d *diagnoseView) judge(cmd *cobra.Command, args []string) (judged, error) {
	nodes, paths := split(args)
	example := cmd.Flags().Changed("example")
	if example {
		nodes, paths = nil, nil // the name of the example is not a node
	}
	if err := notPods(paths); err != nil {
		return judged{}, err
	}
	from, err := d.src.from(cmd, &d.out, &d.know, paths...)
	if err != nil {
		return judged{}, err
	}
	opt := ask.DiagnoseOptions{Nodes: nodes, Filter: d.quiet.filter(cmd, d.src), Trace: d.trace != ""}
	if d.trace != traceAll {
		opt.TraceOf = d.trace
	}
	if opt.Exceptions, err = d.quiet.read(from.Knowledge); err != nil {
		return judged{}, err
	}
	if example {
		if from.Source, err = recorded(cmd, d.example, args); err != nil {
			return judged{}, err
		}
	}
	x, err := ask.Diagnose(cmd.Context(), from, opt)
	return judged{x, from.Knowledge}, orFile(err, nodes)
}

// notPods rejects a pod or a workload in the form TYPE/NAME of kubectl. A file with that path takes precedence.
func notPods(paths []string) error {
	for _, path := range paths {
		typ, name, _ := strings.Cut(path, "/")
		kind := evidence.KindNamed(typ)
		if slices.Contains(ask.WhyKinds(), kind) && name != "" && !exists(path) {
			return hintf(string(shell.Format("nodetriage why {pod}", path)), "diagnose takes nodes and files, and %q is a %s", path, strings.ToLower(kind))
		}
	}
	return nil
}

func (d *diagnoseView) look(cmd *cobra.Command, args []string) (look, error) {
	j, err := d.judge(cmd, args)
	if err != nil {
		return look{}, err
	}
	says, facts := report.InShort(j.Report)
	return look{
		page:  func(w io.Writer, s report.Style) error { return report.Text(w, j.Report, s) },
		whole: func(w io.Writer) error { return reportForms.print(w, &d.out, j) },
		says:  says, facts: facts,
	}, nil
}

// pathsOf returns the arguments that are files.
func pathsOf(args []string) []string {
	_, paths := split(args)
	return paths
}

func verdictCode(v triage.Verdict) error {
	return exitFor(v, map[triage.Verdict]exitCode{triage.Broken: exitProblem, triage.Warn: exitWarnings, triage.Unclear: exitUnclear})
}
