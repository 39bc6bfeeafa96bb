package plan

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// severalBudgets finds pods that the eviction API refuses because it cannot serve more than one budget.
func (c *candidate) severalBudgets() {
	if len(c.budgets) < 2 {
		return
	}
	var names []string
	strict := c.budgets[0] // the one that is left in force
	for _, b := range c.budgets {
		names = append(names, b.Name)
		if b.Status.DisruptionsAllowed < strict.Status.DisruptionsAllowed {
			strict = b
		}
	}
	for _, b := range c.budgets {
		x := numbers(b)
		x.Kind = Budgets
		x.Detail = strings.Join(nonempty(fmt.Sprintf("%d budgets hold this pod (%s), and the eviction API refuses such pods", len(c.budgets), some(names)), ownedBy(b)), "; ")
		if b != strict {
			x.Unblock = []string{c.b.drainWith(command("--suspend-pdb %/%", b.Namespace, b.Name))}
			x.Harm = fmt.Sprintf("budget %s is out of force during the drain, %s stays; afterwards narrow one of the selectors", b.Name, strict.Name)
		}
		c.block(x)
	}
}

// countAgain finds a budget whose status is not what its pods are: when a pod changes that several budgets hold, the
// disruption controller counts only one of them (kubernetes pkg/controller/disruption/disruption.go getPdbForPod,
// v1.36.3). The next change of another of its pods brings the right count.
func (c *candidate) countAgain() {
	if len(c.budgets) != 1 {
		return
	}
	b := c.budgets[0]
	n := c.b.healthy(b)
	if n >= b.Status.CurrentHealthy {
		return
	}
	c.miscounted = true
	x := numbers(b)
	x.passing = true
	x.Detail = fmt.Sprintf("the budget counts %s, and %d are: it will allow less when it is counted again", count(int(b.Status.CurrentHealthy), "healthy pod"), n)
	c.block(x)
}

// healthy counts the budget's pods that are healthy by what is known of them, at most as many as it counts itself
// where not all pods were read.
func (b *builder) healthy(pdb *evidence.PDB) (n int32) {
	if b.s.Covers(evidence.Pods) != evidence.Complete {
		return pdb.Status.CurrentHealthy
	}
	for _, p := range b.held(pdb) {
		if mechanics.Healthy(pdb, p) {
			n++
		}
	}
	return n
}

func numbers(b *evidence.PDB) Blocker {
	st := b.Status
	return Blocker{Kind: Budget, Name: b.Namespace + "/" + b.Name, Allowed: &st.DisruptionsAllowed, Healthy: &st.CurrentHealthy, Desired: &st.DesiredHealthy}
}

// refused explains why the budget keeps the pod, and the least harmful way around.
func (c *candidate) refused(b *evidence.PDB) {
	x := numbers(b)
	x.Detail = strings.Join(nonempty(c.b.why(b, c.pod), c.b.lacking(b), ownedBy(b)), "; ")
	x.Unblock, x.Harm = c.unblock(b)
	c.block(x)
}

// delayedBy tells that the pod waits for its turn.
func (c *candidate) delayedBy(b *evidence.PDB) {
	x := numbers(b)
	x.passing = true
	x.Detail = strings.Join(nonempty(fmt.Sprintf("goes in wave %d: %s at a time", c.plan.Wave, count(int(b.Status.DisruptionsAllowed), "disruption")), c.b.lacking(b)), "; ")
	if b.Status.DisruptionsAllowed == 0 {
		x.Detail = strings.Join(nonempty(fmt.Sprintf("goes in wave %d, when the budget has one left", c.plan.Wave), c.b.lacking(b)), "; ")
	}
	c.block(x)
}

// why says which rule of the eviction API refuses.
func (b *builder) why(pdb *evidence.PDB, pod *evidence.Pod) string {
	st := pdb.Status
	switch failed := mechanics.SyncFailed(pdb); {
	case failed != "":
		return "the budget cannot be computed, so it allows nothing: " + failed
	case mechanics.Stale(pdb):
		return "the disruption controller has not seen the budget's last change yet"
	case pod.Ready == evidence.False && st.DesiredHealthy == 0:
		return "the pod is not ready, and a budget that needs 0 healthy pods keeps unready ones while none is healthy"
	case pod.Ready == evidence.False:
		return fmt.Sprintf("the pod is not ready, and unready pods may go only while %d are healthy: %d are", st.DesiredHealthy, st.CurrentHealthy)
	case st.ExpectedPods == 0:
		return "the budget holds only pods without a controller, so it allows nothing"
	case mechanics.NeverAllows(pdb):
		return fmt.Sprintf("the budget wants %d of %d pods healthy (%s), so it never lets one go", st.DesiredHealthy, st.ExpectedPods, bound(pdb))
	}
	return fmt.Sprintf("%d healthy, %d needed (%s)", st.CurrentHealthy, st.DesiredHealthy, bound(pdb))
}

func bound(pdb *evidence.PDB) string {
	switch {
	case pdb.Spec.MinAvailable != nil:
		return "minAvailable " + pdb.Spec.MinAvailable.String()
	case pdb.Spec.MaxUnavailable != nil:
		return "maxUnavailable " + pdb.Spec.MaxUnavailable.String()
	}
	return "no bound"
}

// lacking names the pods that the budget counts as not healthy, with the reason.
func (b *builder) lacking(pdb *evidence.PDB) string {
	if pdb.Status.CurrentHealthy >= pdb.Status.ExpectedPods {
		return ""
	}
	var names []string
	for _, p := range b.held(pdb) {
		if why := ailment(b.s, p); why != "" {
			names = append(names, p.Name+" "+why)
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("%d of %d pods are missing", pdb.Status.ExpectedPods-pdb.Status.CurrentHealthy, pdb.Status.ExpectedPods)
	}
	return "not healthy: " + some(names)
}

// Lacking names the pods that a budget counts as not healthy, with the reason; "" if all are.
func Lacking(s *evidence.Snapshot, pdb *evidence.PDB) string { return (&builder{s: s}).lacking(pdb) }

// held lists the pods that the budget selects.
func (b *builder) held(pdb *evidence.PDB) []*evidence.Pod {
	selector, err := metav1.LabelSelectorAsSelector(pdb.Spec.Selector)
	if err != nil {
		return nil
	}
	var out []*evidence.Pod
	for _, p := range b.s.Data().Pods {
		if p.Namespace == pdb.Namespace && selector.Matches(labels.Set(p.Labels)) {
			out = append(out, p)
		}
	}
	return out
}

// silentUnder names a silent node that has pods of the budget; "" if none has.
func (b *builder) silentUnder(pdb *evidence.PDB) string {
	for _, p := range b.held(pdb) {
		if n := b.s.Node(p.Node); n != nil && n.Silent() && !p.Finished() {
			return p.Node
		}
	}
	return ""
}

// ailment says why a budget does not count the pod; "" if it does.
func ailment(s *evidence.Snapshot, p *evidence.Pod) string {
	switch n := s.Node(p.Node); {
	case p.Deleting():
		return "is being deleted"
	case p.Ready == evidence.True:
		return ""
	case p.Node == "":
		if c := p.Condition("PodScheduled"); c != nil && c.Message != "" {
			return "is Pending (" + shorten(c.Message, 100) + ")"
		}
		return "is Pending"
	case n != nil && n.Silent():
		return "is on silent node " + p.Node
	case p.Status != "" && p.Status != "Running":
		return "is " + p.Status
	}
	return "is not ready"
}

// ownedBy names who put the budget there, so that people know whom to ask.
func ownedBy(pdb *evidence.PDB) string {
	for _, o := range pdb.OwnerReferences {
		return fmt.Sprintf("the budget belongs to %s %s", o.Kind, o.Name)
	}
	var signs []string
	for _, k := range []string{"meta.helm.sh/release-name", "argocd.argoproj.io/tracking-id", "kustomize.toolkit.fluxcd.io/name"} {
		if v := pdb.Annotations[k]; v != "" {
			signs = append(signs, k[:strings.IndexByte(k, '/')]+" "+v)
		}
	}
	for _, k := range []string{"app.kubernetes.io/managed-by", "app.kubernetes.io/instance", "helm.sh/chart"} {
		if v := pdb.Labels[k]; v != "" && len(signs) == 0 {
			signs = append(signs, k[strings.IndexByte(k, '/')+1:]+" "+v)
		}
	}
	if len(signs) == 0 {
		return ""
	}
	return "the budget comes from " + strings.Join(signs, ", ")
}

// unblock is the least harmful way to let the pod go, and what it risks.
func (c *candidate) unblock(pdb *evidence.PDB) ([]string, string) {
	ns, name := pdb.Namespace, pdb.Name
	w := c.b.s.TopOwnerOf(c.pod)
	suspend := c.b.drainWith(command("--suspend-pdb %/%", ns, name))
	all := fmt.Sprintf("during the drain nothing keeps %s from going at once; the budget is put back afterwards", count(len(c.b.held(pdb)), "pod"))
	switch more := int(pdb.Status.ExpectedPods) + 1; {
	case mechanics.Stale(pdb):
		return nil, ""
	case mechanics.SyncFailed(pdb) != "" || pdb.Status.ExpectedPods == 0:
		return []string{suspend}, all
	case c.pod.Ready == evidence.False:
		return []string{command(`kubectl patch pdb -n % % --type=merge -p '{"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}}'`, ns, name)},
			"pods that are not ready may go at any time; they serve nobody, but one that was about to become ready starts again"
	case !mechanics.NeverAllows(pdb):
		look := []string{command("kubectl get pods -n % -l % -o wide", ns, metav1.FormatLabelSelector(pdb.Spec.Selector))}
		if n := c.b.silentUnder(pdb); n != "" { // its pods may go elsewhere in a few minutes, or never
			look = append(look, command("nodetriage predict %", n))
		}
		return look, "none by looking: make the pods healthy that are not, and the budget lets this one go"
	case w == nil || mechanics.DesiredHealthy(pdb, more) >= more:
		return []string{suspend}, all
	case c.single() != nil:
		return []string{c.b.drainWith("--surge")}, "for a while two pods of " + c.owner() + " run at once; the application must bear that"
	case mechanics.Scales(w.Kind):
		return []string{command("kubectl scale -n % % --replicas=%", ns, c.owner(), fmt.Sprint(w.Replicas+1))},
			"one more pod runs during the drain; scale back afterwards"
	}
	return []string{suspend}, all
}

func nonempty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(t string) bool { return t == "" })
}

func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "..."
}
