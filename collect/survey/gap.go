package survey

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/kube"
)

// explain words reads that failed for one reason: why, and what would make them work.
func explain(failed []outcome) (why, how string) {
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

// cameTo says how far the first of the lists came that ended before their end; "" if none began.
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

func explainError(e *kube.Error, resources, verbs []string) (why, how string) {
	why = string(e.Reason)
	if e.Message != "" {
		why += ": " + e.Message
	}
	what := strings.Join(resources, ",")
	get := "kubectl get " + what
	if e.Object != "" && len(resources) == 1 {
		get += " " + kubectlName(e)
	} else if e.Verb == "list" {
		get += " -A"
	}
	switch e.Reason {
	case kube.Forbidden:
		return why, fmt.Sprintf("allow it: kubectl create clusterrole nodetriage-read --verb=%s --resource=%s, and bind it to this user (kubectl auth can-i %s %s -A tells)",
			strings.Join(verbs, ","), what, verbs[0], resources[0])
	case kube.Unauthorized:
		return why, "log in again, then see that kubectl auth whoami works"
	case kube.Throttled:
		return why, "run again when the API server is less busy (kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels shows who keeps it busy), or: " + get
	case kube.Timeout:
		return why, "run again with a longer --request-timeout, or: " + get
	case kube.NotFound:
		return why, "the server does not serve " + what + ": kubectl api-resources shows what it serves"
	case kube.Unavailable:
		return why, "see what the API server says of itself: kubectl get --raw '/readyz?verbose'; then run again, or: " + get
	}
	return why, "run again, or: " + get
}

// kubectlName is how kubectl takes the object of a failed read: namespace/name, a name, or a namespace.
func kubectlName(e *kube.Error) string {
	namespace, name, found := strings.Cut(e.Object, "/")
	switch {
	case found:
		return "-n " + namespace + " " + name
	case e.Verb == "list":
		return "-n " + namespace
	}
	return namespace
}

func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}
