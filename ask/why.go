package ask

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/why"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/mechanics/placement"
	"github.com/nodetriage/nodetriage/report"
)

// WhyOptions are the options of Why.
type WhyOptions struct {
	// Subject is [KIND/]NAME, as web-0, pod/web-0 or deploy/web.
	Subject string
	// Namespace is the namespace of the object; empty means any.
	Namespace string
	// Prefer returns the namespace to use if Namespace is empty and several namespaces have an object of that name. If nil,
	// none is preferred.
	Prefer func() string
	// Replicas is the number of replicas to try for a workload; nil explains it as it is.
	Replicas *int
}

// Why explains the state of a pod or of the pods of a workload, and who has to act.
func Why(ctx context.Context, from From, opt WhyOptions) (*why.Answer, error) {
	kind, name, err := parseSubject(opt.Subject)
	if err != nil {
		return nil, err
	}
	switch {
	case opt.Replicas != nil && *opt.Replicas < 1:
		return nil, hintf("use 1 or more", "invalid number of replicas %d", *opt.Replicas)
	case opt.Replicas != nil && !slices.Contains(why.Scalable(), kind):
		return nil, hintf("nodetriage why deploy/NAME --replicas N", "why --replicas: only for Deployments, ReplicaSets and ReplicationControllers")
	}
	l, err := from.look(ctx, need{subject: evidence.Subject{Kind: kind, Namespace: opt.Namespace, Name: name}})
	if err != nil {
		return nil, err
	}
	return placed(ctx, l, func(s *evidence.Snapshot, board placement.Open) (*why.Answer, error) {
		subject, err := opt.find(s, kind, name)
		if err != nil {
			return nil, err
		}
		if opt.Replicas != nil {
			return why.AskScaled(s, subject, *opt.Replicas, from.At, board)
		}
		return why.Ask(s, subject, from.At, board)
	})
}

// WhyKinds returns the kinds of objects that Why accepts.
func WhyKinds() []string {
	return []string{"Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job"}
}

func parseSubject(arg string) (kind, name string, err error) {
	typ, name, found := strings.Cut(arg, "/")
	if !found {
		typ, name = "pod", arg
	}
	if kind = evidence.KindNamed(typ); !slices.Contains(WhyKinds(), kind) || name == "" {
		return "", "", notAskable(arg, kind, name)
	}
	return kind, name, nil
}

// notAskable returns the error for an argument that names no pod or workload.
func notAskable(arg, kind, name string) error {
	if kind == "Node" && name != "" {
		return hintf(string(shell.Format("nodetriage diagnose {node}", name)), "why explains pods and workloads, and %q is a node", arg)
	}
	return hintf("use NAME of a pod, or pod/, deploy/, sts/, ds/, rs/ or job/ before the name; -n selects the namespace", "%q is not a pod or a workload", arg)
}

// find names the object in the evidence. Without a namespace, it takes the only one that has the object.
func (opt *WhyOptions) find(s *evidence.Snapshot, kind, name string) (evidence.Subject, error) {
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
	namespace := opt.Namespace
	if namespace == "" && len(there) > 1 && opt.Prefer != nil {
		namespace = opt.Prefer()
	}
	var spaces []string
	for _, t := range there {
		spaces = append(spaces, t.Namespace)
	}
	i := slices.Index(spaces, namespace)
	switch {
	case len(there) == 1 && namespace == "":
		return there[0], nil
	case i >= 0:
		return there[i], nil
	case len(there) > 0:
		return evidence.Subject{}, hintf("select it with -n", "%s %q is in namespace %s", strings.ToLower(kind), name, report.Clean(strings.Join(spaces, ", ")))
	}
	return evidence.Subject{}, noSubject(s, kind, name, namespace, names)
}

// noSubject returns the error for an object that is not in the evidence. names are the objects of its kind that are.
func noSubject(s *evidence.Snapshot, kind, name, namespace string, names []string) error {
	absent := notFound(s, &evidence.AbsentError{What: strings.ToLower(kind), Name: name, Namespace: namespace, Names: names})
	if unread := (*UnreadError)(nil); errors.As(absent, &unread) { // then nothing says that it is absent
		return absent
	}
	if s.Covers(evidence.Namespaces) == evidence.Complete {
		if err := knownNamespace(s, namespace); err != nil {
			return err
		}
	}
	if kind == "Pod" {
		if others := workloadsNamed(s, name, namespace); others != "" {
			return hintf(others, "%w; a workload has that name", absent)
		}
	}
	return absent
}

// workloadsNamed returns how to ask for each workload of that name, in the namespace or in any.
func workloadsNamed(s *evidence.Snapshot, name, namespace string) string {
	var out []string
	for _, kind := range WhyKinds() {
		for _, w := range s.Data().Workloads {
			if w.Kind == kind && w.Name == name && (namespace == "" || w.Namespace == namespace) {
				out = append(out, string(shell.Format("nodetriage why {kind}/{name} -n {namespace}", evidence.ShortName(kind), name, w.Namespace)))
			}
		}
	}
	const few = 3
	return strings.Join(out[:min(len(out), few)], ", or ")
}
