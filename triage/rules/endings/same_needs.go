package endings

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
	"k8s.io/utils/ptr"
)

// takesPlaceOf reports whether a pod has the same template as a pod that was not read, judged by the name of its controller.
// StatefulSet pods are excluded, because each has its own volumes.
func takesPlaceOf(failed evidence.Subject, other *evidence.Pod) bool {
	if other.Owner.Name == "" || other.Namespace != failed.Namespace {
		return false
	}
	number, same := strings.CutPrefix(failed.Name, other.Owner.Name+"-")
	alike := mechanics.Replaced(other) && mechanics.Replaces(other) != mechanics.WhenGone
	return same && alike && !strings.Contains(number, "-")
}

// sameSandbox reports whether two pods get their sandboxes the same way: same runtime class, and no host network. A pod that was
// not read counts as one of the default class.
func sameSandbox(pod, other *evidence.Pod) bool {
	if other.Spec == nil || other.Spec.HostNetwork {
		return false
	}
	if pod == nil {
		return other.Spec.RuntimeClassName == nil
	}
	return pod.Spec != nil && ptr.Equal(pod.Spec.RuntimeClassName, other.Spec.RuntimeClassName)
}
