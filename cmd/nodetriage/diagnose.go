package main

import (
	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/evidence"
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
for each node its lease or a status of the last minutes. What has ended stands
under "Over" and counts for nothing else.

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
	var know knowledgeFlags
	var out outputFlags
	var example string
	var quiet quietFlags
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "diagnose [NODE...] [PATH...|-]",
		Short: "Find out why nodes do not work",
		Long:  diagnoseHelp,
		Example: `  nodetriage diagnose                       # the cluster of the current context
  nodetriage diagnose worker-3              # one node
  nodetriage diagnose incident/             # a folder with whatever you saved
  journalctl -u kubelet | nodetriage diagnose -
  nodetriage diagnose -o html worker-3 > worker-3.html
  nodetriage diagnose --example             # a recorded incident`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := src.read(&out, &know, func(k *knowledge) (*evidence.Snapshot, error) {
				if err := quiet.check(cmd, src, k); err != nil {
					return nil, err
				}
				if cmd.Flags().Changed("example") {
					s, err := exampleSnapshot(cmd, example, args, k)
					if err != nil {
						return nil, err
					}
					return src.hide.hidden(s, k, nil)
				}
				return src.snapshot(cmd, args, k)
			})
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("example") {
				args = nil // the name of the example is no node
			}
			nodes, err := askedNodes(in.snapshot, src.hide.args(args))
			if err != nil {
				return err
			}
			if err := quiet.checkPools(in.snapshot); err != nil {
				return err
			}
			r := in.knowledge.judgeQuietly(in, &quiet, nodes...)
			if err := reportForms.write(cmd.OutOrStdout(), &out, judged{r, in.snapshot, in.knowledge, in.at}); err != nil {
				return err
			}
			return verdictCode(r.Verdict)
		},
	}
	know.register(cmd.Flags())
	out.register(cmd.Flags(), reportForms.names()...)
	src.register(cmd.Flags())
	src.hide.register(cmd.Flags())
	src.cloud.register(cmd.Flags())
	quiet.register(cmd.Flags())
	quiet.registerFilter(cmd.Flags())
	cmd.Flags().StringVar(&example, "example", "", "diagnose a recorded incident `NAME` that ships with the program; without a name it lists them and diagnoses the first")
	cmd.Flags().Lookup("example").NoOptDefVal = listExamples
	return cmd
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
			return nil, usagef("diagnose node %s: %s", name, noSuchNode(s, name))
		}
	}
	return nodes, nil
}
