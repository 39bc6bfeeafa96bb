package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/evidence"
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
			return verdictCode(j.report.Verdict)
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
	cmd.Flags().BoolVar(&d.trace, "trace", false, "show how the answer came about: what became of every message that was recognized, and why each cause stands where it stands")
	cmd.Flags().StringVar(&d.example, "example", "", "diagnose a recorded incident `NAME` that ships with the program; without a name it lists them and diagnoses the first")
	cmd.Flags().Lookup("example").NoOptDefVal = listExamples
	return cmd
}

// diagnoseView is what the flags choose of a diagnosis.
type diagnoseView struct {
	know    knowledgeFlags
	out     outputFlags
	src     *sourceFlags
	quiet   quietFlags
	watch   watchFlags
	trace   bool
	example string
}

// judge reads what the arguments name, and judges it.
func (d *diagnoseView) judge(cmd *cobra.Command, args []string) (judged, error) {
	example := cmd.Flags().Changed("example")
	in, err := d.src.read(&d.out, &d.know, func(k *knowledge) (*evidence.Snapshot, error) {
		if err := d.quiet.check(cmd, d.src, k); err != nil {
			return nil, err
		}
		if !example {
			return d.src.snapshot(cmd, args, k)
		}
		s, err := exampleSnapshot(cmd, d.example, args, k)
		if err != nil {
			return nil, err
		}
		return d.src.hide.hidden(s, k, nil)
	})
	if err != nil {
		return judged{}, err
	}
	if example {
		args = nil // the name of the example is no node
	}
	nodes, err := askedNodes(in.snapshot, d.src.hide.args(args))
	if err != nil {
		return judged{}, err
	}
	if err := d.quiet.checkPools(in.snapshot); err != nil {
		return judged{}, err
	}
	if f := d.quiet.filter; f != nil {
		f.Namespace = d.src.hide.of(f.Namespace)
	}
	if err := d.quiet.checkNamespace(in.snapshot); err != nil {
		return judged{}, err
	}
	return judged{in.knowledge.judgeQuietly(in, &d.quiet, d.traced(), nodes...), in.snapshot, in.knowledge, in.at}, nil
}

func (d *diagnoseView) look(cmd *cobra.Command, args []string) (look, error) {
	j, err := d.judge(cmd, args)
	if err != nil {
		return look{}, err
	}
	says, facts := report.InShort(j.report)
	return look{page: func(w io.Writer, s report.Style) error { return report.Text(w, j.report, s) }, says: says, facts: facts}, nil
}

// traced is what a trace is kept in; nil if none was asked for.
func (d *diagnoseView) traced() *triage.Trace {
	if !d.trace {
		return nil
	}
	return &triage.Trace{Messages: []triage.TracedMessage{}, Unread: []triage.TracedLine{}, Statements: []triage.TracedStatement{}}
}

// pathsOf are the arguments that name files.
func pathsOf(args []string) []string {
	_, paths := split(args)
	return paths
}

func verdictCode(v triage.Verdict) error {
	return exitFor(v, map[triage.Verdict]exitCode{triage.Broken: exitProblem, triage.Warn: exitWarnings, triage.Unclear: exitUnclear})
}

// askedNodes are the arguments that name nodes. One that the evidence would have to have is an error; a pasted
// log has no list of nodes.
func askedNodes(s *evidence.Snapshot, args []string) ([]string, error) {
	nodes, _ := split(args)
	for _, name := range nodes {
		if s.Covers(evidence.Nodes) != evidence.NotRead && s.Node(name) == nil {
			return nil, absentf(s, ofNodes, "diagnose node %s: %s", name, noSuchNode(s, name))
		}
	}
	return nodes, nil
}
