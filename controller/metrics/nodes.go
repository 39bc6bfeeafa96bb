package metrics

import (
	"maps"
	"slices"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/controller/engine"
)

// maxNodes bounds the nodes with metrics of their own. If more are unhealthy at once, the fault is not one of single nodes.
const maxNodes = 500

var verdicts = []v1alpha1.Verdict{v1alpha1.VerdictBroken, v1alpha1.VerdictWarning, v1alpha1.VerdictUnknown}

// nodeVerdicts returns a state set for each node that is not clear.
func nodeVerdicts(j *engine.Judgement) (out []sample) {
	for _, node := range j.Unclear[:min(len(j.Unclear), maxNodes)] {
		is := j.Node(node).Verdict
		for _, v := range verdicts {
			value := 0.0
			if v == is {
				value = 1
			}
			out = append(out, sample{value, []string{node, string(v)}})
		}
	}
	return out
}

// nodeCounts counts the nodes of each pool by verdict. Each pool has all verdicts, so that a count that becomes zero is visible.
func nodeCounts(j *engine.Judgement) []sample {
	unclear := map[string]bool{}
	for _, name := range j.Unclear {
		unclear[name] = true
	}
	counts := counter{}
	for _, n := range j.Snapshot.Nodes() {
		pool := n.Pool()
		for _, v := range append(slices.Clone(verdicts), v1alpha1.VerdictClear) {
			counts.add(0, pool, string(v))
		}
		verdict := v1alpha1.VerdictClear
		if unclear[n.Name] {
			verdict = j.Node(n.Name).Verdict
		}
		counts.add(1, pool, string(verdict))
	}
	return counts.samples()
}

// counter adds values by labels.
type counter map[[4]string]float64

func (c counter) add(value float64, labels ...string) {
	c[key(labels)] += value
}

// most keeps the largest value.
func (c counter) most(value float64, labels ...string) {
	k := key(labels)
	c[k] = max(c[k], value)
}

// key returns the labels as a key. No metric has more than four labels, and none of the values has the mark of a label that is absent.
func key(labels []string) (k [4]string) {
	for i := range k {
		k[i] = absent
	}
	copy(k[:], labels)
	return k
}

const absent = "\x00"

// samples returns the values in the order of their labels.
func (c counter) samples() (out []sample) {
	keys := slices.SortedFunc(maps.Keys(c), func(a, b [4]string) int { return slices.Compare(a[:], b[:]) })
	for _, k := range keys {
		labels := slices.DeleteFunc(slices.Clone(k[:]), func(l string) bool { return l == absent })
		out = append(out, sample{c[k], labels})
	}
	return out
}
