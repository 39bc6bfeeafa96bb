package survey

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/kube"
)

// explain describes reads that failed for one reason: the reason, and the fix.
func explain(failed []outcome) (why string, how shell.Text) {
	var resources, verbs []string
	var first *kube.Error
	for _, o := range failed {
		var e *kube.Error
		if !errors.As(o.err, &e) {
			return o.err.Error(), ""
		}
		if first == nil {
			first = e
		}
		resources, verbs = append(resources, e.Resource), append(verbs, e.Verb)
	}
	why, how = explainError(first, unique(resources), unique(verbs))
	if came := cameTo(failed); came != "" {
		why = came + why
	}
	return why, how
}

// cameTo describes how much was read of the first incomplete list; "" if no list was started.
func cameTo(failed []outcome) string {
	for _, o := range failed {
		var e *kube.Error
		if !errors.As(o.err, &e) || e.Rest.Page < 2 {
			continue
		}
		left := ""
		if e.Rest.Left != nil {
			left = fmt.Sprintf(", %d remain", *e.Rest.Left)
		}
		return fmt.Sprintf("read in part: page %d failed, %d read%s: ", e.Rest.Page, e.Rest.Read, left)
	}
	return ""
}

func explainError(e *kube.Error, resources, verbs []string) (why string, how shell.Text) {
	why = string(e.Reason)
	if e.Message != "" {
		why += ": " + e.Message
	}
	what := strings.Join(resources, ",")
	get := shell.Format("kubectl get {kinds}", what)
	if e.Object != "" && len(resources) == 1 {
		get += kubectlName(e)
	} else if e.Verb == "list" {
		get += " -A"
	}
	switch e.Reason {
	case kube.Forbidden:
		return why, "allow it: kubectl create clusterrole nodetriage-read --verb=" + shell.List("verb", verbs) + " --resource=" + shell.List("kind", resources) +
			shell.Format(", and bind it to this user (kubectl auth can-i {verb} {kind} -A tells)", verbs[0], resources[0])
	case kube.Unauthorized:
		return why, "log in again, then see that kubectl auth whoami works"
	case kube.Throttled:
		return why, "run again when the API server is less busy (kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels shows who keeps it busy), or: " + get
	case kube.Timeout:
		return why, "run again with a longer --request-timeout, or: " + get
	case kube.NotFound:
		return why, shell.Format("the server does not serve {kinds}: kubectl api-resources shows what it serves", what)
	case kube.Unavailable:
		return why, "see what the API server says of itself: kubectl get --raw '/readyz?verbose'; then run again, or: " + get
	}
	return why, "run again, or: " + get
}

// kubectlName formats the object of a failed read for kubectl: namespace/name, a name, or a namespace.
func kubectlName(e *kube.Error) shell.Text {
	namespace, name, found := strings.Cut(e.Object, "/")
	switch {
	case found:
		return shell.Format(" -n {namespace} {name}", namespace, name)
	case e.Verb == "list":
		return shell.Format(" -n {namespace}", namespace)
	}
	return shell.Format(" {name}", namespace)
}

func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
