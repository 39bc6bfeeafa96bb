package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/answers/why"
	"github.com/nodetriage/nodetriage/ask"
)

const whyHelp = `Explain why a pod is Pending, Terminating, not starting, or shown as Running on a
node that stopped reporting, and who has to act.

A pending pod is tried on every node with the scheduler's own code (1.36): which
plugin refuses it where, and which single change would make it fit, found by trying:
a smaller request, a toleration, a label, a node uncordoned, one node more. Of a
workload all pods are explained, and those that should exist and do not.

Exit codes: 0 it runs, 1 the tool failed, 2 bad usage or unreadable input, 3 somebody
has to act, 4 it waits and nobody has to act, 5 not enough evidence to judge.`

func newWhy() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	src := newSourceFlags()
	cmd := &cobra.Command{
		Use:   "why [pod/]NAME",
		Short: "Explain why a pod is Pending, Terminating or not starting",
		Long:  whyHelp,
		Example: `  nodetriage why web-0 -n shop              # a pod
  nodetriage why deploy/web -n shop         # the pods of a Deployment; also sts/, ds/, job/
  nodetriage why pod web-0 -n shop          # the kind as a word of its own, as with kubectl
  nodetriage why web-0 -f bundle.tar.gz     # from saved evidence
  kubectl get pods,nodes -A -o yaml | nodetriage why web-0 -f -`,
		Args: between(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := src.from(cmd, &out, &know)
			if err != nil {
				return err
			}
			a, err := ask.Why(cmd.Context(), from, ask.WhyOptions{Subject: strings.Join(args, "/"), Namespace: *src.cluster.Namespace, Prefer: src.namespace})
			if err != nil {
				return err
			}
			if err := whyForms.write(cmd.OutOrStdout(), &out, a); err != nil {
				return err
			}
			return exitFor(a.Verdict, map[why.Verdict]exitCode{why.Stuck: exitProblem, why.Waiting: exitWarnings, why.Unknown: exitUnclear})
		},
	}
	know.register(cmd.Flags())
	out.register(cmd.Flags(), whyForms.names()...)
	src.register(cmd.Flags())
	return cmd
}
