package scheduler

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
)

// verdict caches the results for a template: the PreFilter state, and the filter status of each node.
type verdict struct {
	state   fwk.CycleState
	only    sets.Set[string] // nodes that PreFilter returned; nil: all
	because sets.Set[string] // plugins that returned only those nodes
	refused *fwk.Status      // PreFilter status for all nodes
	nodes   []*fwk.Status    // by slot; nil: it fits
	told    int              // number of changes applied to the state
	looked  int              // number of changes applied to the statuses; -1: none evaluated
	far     bool             // a pod on one node may change the status of another node
	abroad  bool             // depends on pods of other namespaces
}

// prepared returns the verdict of t with a current state. Its statuses may be stale.
func (c *Cluster) prepared(t *template) *verdict {
	v := c.verdicts[t]
	if v == nil || !c.catchUp(t, v) {
		v = c.prepare(t)
		c.verdicts[t] = v
	}
	return v
}

// judged returns the verdict of t, current for every node. It mirrors findNodesThatFitPod of kubernetes/kubernetes
// pkg/scheduler/schedule_one.go, v1.36.3, without sampling: it evaluates all nodes.
func (c *Cluster) judged(t *template) *verdict {
	v := c.prepared(t)
	switch {
	case v.refused != nil || v.looked == len(c.changes):
	case v.looked < 0 || v.far:
		c.judge(t, v)
	default:
		touched := sets.New[string]()
		for _, ch := range c.changes[v.looked:] {
			touched.Insert(ch.node)
		}
		v.grow(c.filled)
		for name := range touched {
			if n := c.nodes[name]; n != nil && (v.only == nil || v.only.Has(name)) {
				v.nodes[c.slots[name]] = c.filter(t, v, n)
			}
		}
	}
	v.looked = len(c.changes)
	return v
}

func (v *verdict) grow(slots int) {
	if n := slots - len(v.nodes); n > 0 {
		v.nodes = append(v.nodes, make([]*fwk.Status, n)...)
	}
}

// prepare runs PreFilter.
func (c *Cluster) prepare(t *template) *verdict {
	v := &verdict{state: framework.NewCycleState(), told: len(c.changes), looked: -1, far: true, abroad: abroad(t)}
	result, status, by := c.scheduler.RunPreFilterPlugins(c.scheduler.ctx, v.state, t.pod)
	if !status.IsSuccess() {
		v.refused, v.far = status, usesClaims(t.pod)
		return v
	}
	if !result.AllNodes() {
		v.only, v.because = result.NodeNames, by
	}
	skipped := v.state.GetSkipFilterPlugins()
	v.far = !skipped.Has(names.PodTopologySpread) || !skipped.Has(names.InterPodAffinity) || usesClaims(t.pod)
	return v
}

// catchUp applies changes to the PreFilter state; false: PreFilter must run again. Plugins that skipped this template
// receive no changes, so the first pod with anti-affinity to it requires a new PreFilter.
func (c *Cluster) catchUp(t *template, v *verdict) bool {
	if v.told == len(c.changes) {
		return true
	}
	if v.refused != nil {
		v.told = len(c.changes)
		return !v.far
	}
	if v.state.GetSkipFilterPlugins().Has(names.InterPodAffinity) {
		for i := len(c.keepers) - 1; i >= 0 && c.keepers[i] >= v.told; i-- {
			if keepsAway(c.changes[c.keepers[i]].pod, t) {
				return false
			}
		}
	}
	if v.far {
		for _, ch := range c.changes[v.told:] {
			if !c.tell(t, v, ch) {
				return false
			}
		}
	}
	v.told = len(c.changes)
	return true
}

// tell applies one change to the plugins that count pods of other nodes.
func (c *Cluster) tell(t *template, v *verdict, ch change) bool {
	if ch.pod == nil {
		return !ch.shape && !honoursTaints(t.pod)
	}
	if ch.pod.pod.Namespace != t.pod.Namespace && !v.abroad && len(ch.pod.info.RequiredAntiAffinityTerms) == 0 {
		return true
	}
	n := c.nodes[ch.node]
	if n == nil || spreadCounts(t.pod, ch.pod.pod) {
		return false
	}
	tell := c.scheduler.RunPreFilterExtensionAddPod
	if ch.gone {
		tell = c.scheduler.RunPreFilterExtensionRemovePod
	}
	return tell(c.scheduler.ctx, v.state, t.pod, ch.pod.info, n).IsSuccess()
}

// judge runs the filters on all nodes.
func (c *Cluster) judge(t *template, v *verdict) {
	nodes := c.list()
	v.grow(c.filled)
	c.scheduler.Parallelizer().Until(c.scheduler.ctx, len(nodes), func(i int) {
		if v.only == nil || v.only.Has(nodes[i].Node().Name) {
			v.nodes[c.lister.slots[i]] = c.filter(t, v, nodes[i])
		}
	}, "Filter")
}

func (c *Cluster) filter(t *template, v *verdict, n fwk.NodeInfo) *fwk.Status {
	return c.scheduler.RunFilterPluginsWithNominatedPods(c.scheduler.ctx, v.state, t.pod, n)
}

func usesClaims(p *corev1.Pod) bool {
	for _, v := range p.Spec.Volumes {
		if v.PersistentVolumeClaim != nil || v.Ephemeral != nil {
			return true
		}
	}
	return len(p.Spec.ResourceClaims) > 0
}

// keepsAway reports whether the anti-affinity of one pod may match the other.
func keepsAway(keeper, t *template) bool {
	for _, term := range keeper.info.RequiredAntiAffinityTerms {
		here := term.Namespaces.Has(t.pod.Namespace) || !term.NamespaceSelector.Empty()
		if here && term.Selector.Matches(labels.Set(t.pod.Labels)) {
			return true
		}
	}
	return false
}

// abroad reports whether an affinity of the template selects pods of other namespaces.
func abroad(t *template) bool {
	for _, list := range [][]fwk.AffinityTerm{t.info.RequiredAffinityTerms, t.info.RequiredAntiAffinityTerms} {
		for _, term := range list {
			if !term.NamespaceSelector.Empty() || term.Namespaces.Len() > 1 || !term.Namespaces.Has(t.pod.Namespace) {
				return true
			}
		}
	}
	return usesClaims(t.pod)
}

// spreadCounts reports whether the topology spread of one pod counts the other. The plugin stores only the two emptiest
// domains, which is correct for one change and wrong after several (criticalPaths of kubernetes
// pkg/scheduler/framework/plugins/podtopologyspread/filtering.go, v1.36.3).
func spreadCounts(p, other *corev1.Pod) bool {
	for _, s := range p.Spec.TopologySpreadConstraints {
		selector, err := metav1.LabelSelectorAsSelector(s.LabelSelector)
		if err != nil || p.Namespace == other.Namespace && selector.Matches(labels.Set(other.Labels)) {
			return true
		}
	}
	return false
}

// honoursTaints reports whether the topology spread of the pod skips nodes with untolerated taints.
func honoursTaints(p *corev1.Pod) bool {
	for _, s := range p.Spec.TopologySpreadConstraints {
		if s.NodeTaintsPolicy != nil && *s.NodeTaintsPolicy == corev1.NodeInclusionPolicyHonor {
			return true
		}
	}
	return false
}
