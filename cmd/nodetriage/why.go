package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/placement"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/why"
)

const whyHelp = `Explain why a pod is Pending, Terminating, not starting, or shown as Running on a
node that stopped reporting, and who has to act.

A pending pod is tried on every node with the scheduler's own code (1.36): which
plugin refuses it where, and which single change would make it fit, found by trying:
a smaller request, a toleration, a label, a node uncordoned, one node more. Of a
workload all pods are explained, and those that should exist and do not.

Exit codes: 0 it runs, 1 the tool failed, 2 bad usage or unreadable input, 3 somebody
has to act, 4 it waits and nobody has to act, 5 not enough evidence to judge.`

// workloadKinds are the kinds that can be asked for, by all their names.
var workloadKinds = map[string]string{
	"pod": "Pod", "pods": "Pod", "po": "Pod",
	"deploy": "Deployment", "deployment": "Deployment", "deployments": "Deployment",
	"sts": "StatefulSet", "statefulset": "StatefulSet", "statefulsets": "StatefulSet",
	"ds": "DaemonSet", "daemonset": "DaemonSet", "daemonsets": "DaemonSet",
	"rs": "ReplicaSet", "replicaset": "ReplicaSet", "replicasets": "ReplicaSet",
	"rc": "ReplicationController", "replicationcontroller": "ReplicationController",
	"job": "Job", "jobs": "Job",
}

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
			kind, name, err := parseSubject(strings.Join(args, "/"))
			if err != nil {
				return err
			}
			in, err := src.read(&out, &know, func(k *knowledge) (*evidence.Snapshot, error) {
				return src.around(cmd, evidence.Subject{Kind: kind, Namespace: *src.cluster.Namespace, Name: name}, k)
			})
			if err != nil {
				return err
			}
			a, err := placed(cmd, src, &in, func(s *evidence.Snapshot, board placement.Open) (*why.Answer, error) {
				subject, err := src.find(s, kind, name)
				if err != nil {
					return nil, err
				}
				return why.Ask(s, subject, in.at, board)
			})
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

func parseSubject(arg string) (kind, name string, err error) {
	typ, name, found := strings.Cut(arg, "/")
	if !found {
		typ, name = "pod", arg
	}
	kind, ok := workloadKinds[strings.ToLower(typ)]
	if !ok || name == "" {
		return "", "", usagef("read %q: use NAME of a pod, or pod/, deploy/, sts/, ds/, rs/, job/ before the name; the namespace goes to -n", arg)
	}
	return kind, name, nil
}

// find names the object in the evidence: in the namespace that was given, else the only one that has it.
func (f *sourceFlags) find(s *evidence.Snapshot, kind, name string) (evidence.Subject, error) {
	var there []evidence.Subject
	var names []string
	for _, p := range s.Data().Pods {
		if kind == "Pod" {
			names = append(names, p.Name)
			if p.Name == name {
				there = append(there, p.Subject())
			}
		}
	}
	for _, w := range s.Data().Workloads {
		if w.Kind == kind {
			names = append(names, w.Name)
			if w.Name == name {
				there = append(there, w.Subject())
			}
		}
	}
	namespace := *f.cluster.Namespace
	if namespace == "" && len(there) > 1 {
		namespace, _, _ = f.cluster.ToRawKubeConfigLoader().Namespace()
	}
	var spaces []string
	for _, t := range there {
		spaces = append(spaces, t.Namespace)
	}
	what := strings.ToLower(kind) + " " + name
	i := slices.Index(spaces, namespace)
	switch {
	case len(there) == 1 && namespace == "":
		return there[0], nil
	case i >= 0:
		return there[i], nil
	case len(there) > 0:
		return evidence.Subject{}, usagef("find %s: it is in namespace %s; choose with -n", what, report.Clean(strings.Join(spaces, ", ")))
	}
	plural := strings.ToLower(kind) + "s"
	called := []string{plural}
	if kind != "Pod" {
		called = append(called, string(evidence.Workloads))
	}
	if why := unread(s, plural, len(names), called...); why != "" {
		return evidence.Subject{}, &unreadError{fmt.Errorf("find %s: %s", what, why)}
	}
	if kind == "Pod" {
		if others := workloadsNamed(s, name, namespace); others != "" {
			return evidence.Subject{}, usagef("find %s: the evidence does not have it; of that name it has %s", what, others)
		}
	}
	if near := nearest(name, names); near != "" {
		return evidence.Subject{}, usagef("find %s: the evidence does not have it; did you mean %s?", what, report.Clean(near))
	}
	return evidence.Subject{}, usagef("find %s: the evidence does not have it, among %d of that kind", what, len(names))
}

// askable are the kinds of workloads as they are asked for, those that people name first.
var askable = []struct{ kind, short string }{
	{"Deployment", "deploy"}, {"StatefulSet", "sts"}, {"DaemonSet", "ds"}, {"Job", "job"},
	{"ReplicaSet", "rs"}, {"ReplicationController", "rc"},
}

// workloadsNamed lists how to ask for the workloads of that name: in the namespace, or in any if none was given.
func workloadsNamed(s *evidence.Snapshot, name, namespace string) string {
	var out []string
	for _, k := range askable {
		for _, w := range s.Data().Workloads {
			if w.Kind == k.kind && w.Name == name && (namespace == "" || w.Namespace == namespace) {
				out = append(out, report.Clean(k.short+"/"+name+" (-n "+w.Namespace+")"))
			}
		}
	}
	const few = 3
	return strings.Join(out[:min(len(out), few)], ", ")
}
