package placement

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
)

// verdict is what is known of a template: the state that the plugins prepared once for it, and what they said of
// each node.
type verdict struct {
	state   fwk.CycleState
	only    sets.Set[string] // nodes that the preparation left; nil: all
	because sets.Set[string] // the plugins that left only those
	refused *fwk.Status      // by the preparation, for all nodes
	nodes   []*fwk.Status    // in the order of Cluster.list; nil: it fits
	seen    int              // changes that are taken in
	far     bool             // a pod on one node may change the verdict of another
}

// verdict returns what is known of t, up to date. It mirrors findNodesThatFitPod of
// kubernetes/kubernetes pkg/scheduler/schedule_one.go, v1.36.3, without sampling: all nodes are looked at.
func (c *Cluster) verdict(t *template) *verdict {
	v := c.verdicts[t]
	if v == nil {
		v = c.prepare(t)
		c.verdicts[t] = v
		c.judge(t, v, nil)
		return v
	}
	if v.seen == len(c.changes) {
		return v
	}
	touched := sets.New[string]()
	for _, ch := range c.changes[v.seen:] {
		if !c.takeIn(t, v, ch) {
			delete(c.verdicts, t)
			return c.verdict(t)
		}
		touched.Insert(ch.node)
	}
	v.seen = len(c.changes)
	if v.far {
		touched = nil
	}
	c.judge(t, v, touched)
	return v
}

// prepare runs the plugins' preparation.
func (c *Cluster) prepare(t *template) *verdict {
	v := &verdict{state: framework.NewCycleState(), seen: len(c.changes)}
	result, status, by := c.scheduler.RunPreFilterPlugins(c.scheduler.ctx, v.state, t.pod)
	if !status.IsSuccess() {
		v.refused = status
		return v
	}
	if !result.AllNodes() {
		v.only, v.because = result.NodeNames, by
	}
	skipped := v.state.GetSkipFilterPlugins()
	v.far = !skipped.Has(names.PodTopologySpread) || !skipped.Has(names.InterPodAffinity) || usesClaims(t.pod)
	return v
}

// takeIn tells the prepared state of a change; false: it has to be prepared again. A plugin that had nothing to
// do for this template is not told, so the first pod that keeps others away turns everything around.
func (c *Cluster) takeIn(t *template, v *verdict, ch change) bool {
	if v.refused != nil {
		return !v.far
	}
	if len(ch.pod.info.RequiredAntiAffinityTerms) > 0 && v.state.GetSkipFilterPlugins().Has(names.InterPodAffinity) {
		return false
	}
	n := c.nodes[ch.node]
	tell := c.scheduler.RunPreFilterExtensionAddPod
	if ch.gone {
		tell = c.scheduler.RunPreFilterExtensionRemovePod
	}
	return tell(c.scheduler.ctx, v.state, t.pod, ch.pod.info, n).IsSuccess()
}

// judge runs the filters on the touched nodes; nil: on all.
func (c *Cluster) judge(t *template, v *verdict, touched sets.Set[string]) {
	if v.refused != nil {
		return
	}
	nodes := c.list()
	if v.nodes == nil {
		v.nodes = make([]*fwk.Status, len(nodes))
	}
	filter := func(i int) {
		if name := nodes[i].Node().Name; v.only == nil || v.only.Has(name) {
			v.nodes[i] = c.scheduler.RunFilterPluginsWithNominatedPods(c.scheduler.ctx, v.state, t.pod, nodes[i])
		}
	}
	if touched == nil {
		c.scheduler.Parallelizer().Until(c.scheduler.ctx, len(nodes), filter, "Filter")
		return
	}
	for name := range touched {
		filter(c.lister.index[name])
	}
}

func usesClaims(p *corev1.Pod) bool {
	for _, v := range p.Spec.Volumes {
		if v.PersistentVolumeClaim != nil || v.Ephemeral != nil {
			return true
		}
	}
	return len(p.Spec.ResourceClaims) > 0
}
