package gate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Group decides the answer to a request about a node pool or the cluster. AKS does not wait for it, and a False stops the upgrade.
//   - False: at least three new nodes have one certain cause, and no old node has it. Without old nodes there is nothing to compare with;
//   - Unknown otherwise.
//
// fresh are the nodes that this upgrade has replaced, old the others.
func Group(r Request, fresh, old []Judgement, now time.Time) Answer {
	if r.Over(now) {
		return Answer{}
	}
	stale := func(j Judgement) bool { return j.stale(now) }
	fresh, old = slices.DeleteFunc(slices.Clone(fresh), stale), slices.DeleteFunc(slices.Clone(old), stale)
	if len(old) == 0 {
		return answer(metav1.ConditionUnknown, NoSameFault, "no node of the old image is left to compare with")
	}
	on := map[string]int{}
	for i := range fresh {
		causes := map[string]bool{}
		for _, f := range fresh[i].certain() {
			causes[f.Cause] = true
		}
		for cause := range causes {
			on[cause]++
		}
	}
	var found []string
	for cause, n := range on {
		if n >= several && having(old, cause) == 0 {
			found = append(found, fmt.Sprintf("%s (certain) is on %d of %d nodes with the new image, and on none of %d with the old one", cause, n, len(fresh), len(old)))
		}
	}
	if len(found) > 0 {
		slices.Sort(found)
		return answer(metav1.ConditionFalse, SameFault, strings.Join(found, "; "))
	}
	return answer(metav1.ConditionUnknown, NoSameFault, "no certain cause is on three nodes of the new image and on none of the old one")
}
