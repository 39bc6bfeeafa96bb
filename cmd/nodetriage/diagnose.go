package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

const diagnoseHelp = `Find out why nodes do not work: the root cause with its evidence, what it
explains, what to do and how to see that it worked, what was ruled out, and what
could not be checked.

Without arguments the whole cluster of the current context is diagnosed. NODE is
one node, at a cost that does not depend on the size of the cluster. PATH is a
bundle, a folder, kubectl output (JSON, YAML, tables, describe), logs, or any text
that you would paste into a chat; - reads standard input. What a file is, is
detected from its content.

HEALTHY is said only of evidence that would show a fault: nodes, pods, events, and
for each node its lease or a status of the last minutes. If a kind was refused or
read in part, the verdict is BROKEN or UNKNOWN. What has ended stands under "Over"
and counts for nothing else.

What is known and accepted can be left out until a day: by --exceptions, a file

  exceptions:
  - {cause: disk-pressure, subject: node/gpu-*, until: 2026-12-31,
     why: ..., who: ...}

or by an annotation of the object, nodetriage.dev/ignore: CAUSE until=2026-12-31
why=... It is counted, -o wide lists it, and an exception that ended is told.
Verdict and exit code are of what is left, as with --severity, --certainty,
--cause, --namespace and --pool, which choose what is shown.

Exit codes: 0 nothing wrong, 1 the tool failed, 2 bad usage or unreadable input,
3 a problem was found, 4 warnings only, 5 not enough evidence to judge.`

func newDiagnose() *cobra.Command {
	d := diagnoseView{src: newSourceFlags()}
	cmd := &cobra.Command{
		Use:   "diagnose [NODE...] [PATH...|-]",
		Short: "Find out why nodes do not work",
		Long:  diagnoseHelp,
		Example: `  nodetriage diagnose                       # the cluster of the current context
  nodetriage diagnose worker-3              # one node
  nodetriage diagnose worker-3 -w           # and keep the screen up to date
  nodetriage diagnose incident/             # a folder with whatever you saved
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
					return usagef("watch an example: it does not change; leave -w out")
				}
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
	cmd.Flags().StringVar(&d.trace, "trace", "", "show how the answer came about: what became of every message that was recognized, and why each cause stands where it stands; --trace=`CAUSE`: of one cause or symptom alone")
	cmd.Flags().Lookup("trace").NoOptDefVal = traceAll
	cmd.Flags().StringVar(&d.example, "example", "", "diagnose a recorded incident `NAME` that ships with the program; without a name it lists them and diagnoses the first")
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

func (d *diagnoseView) look(cmd *cobra.Command, args []string) (look, error) {
	j, err := d.judge(cmd, args)
	if err != nil {
		return look{}, err
	}
	says, facts := report.InShort(j.Report)
	return look{page: func(w io.Writer, s report.Style) error { return report.Text(w, j.Report, s) }, says: says, facts: facts}, nil
}

// pathsOf returns the arguments that are files.
func pathsOf(args []string) []string {
	_, paths := split(args)
	return paths
}

func verdictCode(v triage.Verdict) error {
	return exitFor(v, map[triage.Verdict]exitCode{triage.Broken: exitProblem, triage.Warn: exitWarnings, triage.Unclear: exitUnclear})
}
