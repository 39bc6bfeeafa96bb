package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/answers/why"
	"github.com/nodetriage/nodetriage/ask"
)

const whyHelp = `Explain why a pod is Pending, stuck Terminating, not starting, or shown as
Running on an unreachable node. The output also shows what the pod waits for,
and what you can do.

For a Pending pod, nodetriage simulates the scheduler and changes nothing: it
checks every node with the code of the Kubernetes 1.36 scheduler. The output
shows which scheduler plugin rejects which node. It also shows which single
change would make the pod schedulable: a smaller request, an added toleration, a
label added to a node, uncordoning a node, or adding a node. For a workload, the
output explains all its pods, including pods that were not created.

Exit codes:

  0  the pod, or each pod of the workload, is running and ready, or completed
  1  internal error
  2  bad usage or unreadable input
  3  action is needed
  4  the pod is waiting and no action is needed
  5  not enough evidence`

func newWhy() *cobra.Command {
	var know knowledgeFlags
	var out outputFlags
	src := newSourceFlags()
	replicas := 0
	cmd := &cobra.Command{
		Use:   "why [TYPE/]NAME",
		Short: "Explain why a pod is Pending, Terminating or not starting",
		Long:  whyHelp,
		Example: `  nodetriage why web-0 -n shop              # a pod
  nodetriage why deploy/web -n shop         # the pods of a Deployment; also sts/, ds/, job/
  nodetriage why pod web-0 -n shop          # the same as pod/web-0
  nodetriage why deploy/web --replicas 6    # would six replicas fit, and where?
  nodetriage why web-0 -f bundle.tar.gz     # from saved evidence
  kubectl get pods,nodes -A -o yaml | nodetriage why web-0 -f -`,
		Args: between(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			from, err := src.from(cmd, &out, &know)
			if err != nil {
				return err
			}
			opt := ask.WhyOptions{Subject: strings.Join(args, "/"), Namespace: src.cluster.overrides.Context.Namespace, Prefer: src.namespace}
			if cmd.Flags().Changed("replicas") {
				opt.Replicas = &replicas
			}
			a, err := ask.Why(cmd.Context(), from, opt)
			if err != nil {
				return err
			}
			if err := whyForms.write(cmd.OutOrStdout(), &out, a); err != nil {
				return err
			}
			return exitFor(a.Verdict, map[why.Verdict]exitCode{why.Stuck: exitProblem, why.Waiting: exitWarnings, why.Unknown: exitUnclear})
		},
	}
	cmd.Flags().IntVar(&replicas, "replicas", 0, "`N` Explain as if the workload had this number of replicas: which of the new pods fit, and where.")
	know.register(cmd.Flags())
	out.register(cmd.Flags(), whyForms.names()...)
	src.register(cmd.Flags())
	return cmd
}
