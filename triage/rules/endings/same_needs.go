package endings

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"k8s.io/utils/ptr"
)

// takesPlaceOf reports whether a pod is made of the same template as one that was not read, by the name of its controller. The
// pods of a StatefulSet have volumes of their own.
func takesPlaceOf(failed evidence.Subject, other *evidence.Pod) bool {
	if other.Owner.Name == "" || other.Namespace != failed.Namespace {
		return false
	}
	number, same := strings.CutPrefix(failed.Name, other.Owner.Name+"-")
	alike := mechanics.Replaced(other) && mechanics.Replaces(other) != mechanics.WhenGone
	return same && alike && !strings.Contains(number, "-")
}

// sameSandbox reports whether two pods get their sandboxes in the same way: from one runtime class, with a network of their own.
// A pod that was not read counts as one of the usual class.
func sameSandbox(pod, other *evidence.Pod) bool {
	if other.Spec == nil || other.Spec.HostNetwork {
		return false
	}
	if pod == nil {
		return other.Spec.RuntimeClassName == nil
	}
	return pod.Spec != nil && ptr.Equal(pod.Spec.RuntimeClassName, other.Spec.RuntimeClassName)
}
