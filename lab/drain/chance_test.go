//go:build unix

package drain_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	hooksv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/nodetriage/nodetriage/lab/play"
)

// chance is one random cluster: applications on a pool of nodes, PodDisruptionBudgets, and their faults.
type chance struct {
	*scene
	*rand.Rand
	on      []string
	refused bool // a webhook refuses every eviction
	gentle  bool // there is no fault, and each PodDisruptionBudget allows an eviction
	apps    []string
}

func (c *chance) chance(percent int) bool { return c.IntN(100) < percent }

func oneOf[T any](c *chance, list ...T) T { return list[c.IntN(len(list))] }

// build creates the cluster and waits until nothing changes.
func (c *chance) build() {
	c.t.Helper()
	c.gentle = c.chance(35)
	for i := range 1 + c.IntN(3) {
		c.application(fmt.Sprintf("app%d", i))
	}
	if !c.gentle && c.chance(40) {
		c.naked()
	}
	if c.chance(30) {
		c.daemons()
	}
	if c.chance(30) {
		c.mirror()
	}
	c.still()
	c.budgets()
	if c.gentle {
		c.still()
		return
	}
	c.spoil()
	c.still()
	c.webhooks()
}

// template returns a template for pods that run only on the nodes of this pool.
func (c *chance) template(app string) corev1.PodTemplateSpec {
	spec := podSpec(oneOf(c, int64(0), 1, 1, 1, 2, 2, 2, 900))
	spec.NodeSelector = map[string]string{"pool": c.on[0][:len("pool-0")]}
	t := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": app}}, Spec: spec}
	if c.gentle {
		t.Spec = podSpec(int64(c.IntN(3)))
		t.Spec.NodeSelector = spec.NodeSelector
		return t
	}
	if cpu := oneOf(c, "", "", "", "3", "5"); cpu != "" {
		spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse(cpu)}
	}
	if c.chance(12) {
		spec.Volumes = []corev1.Volume{{Name: "scratch", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}
	}
	if c.chance(5) {
		spec.Tolerations = []corev1.Toleration{{Key: corev1.TaintNodeUnschedulable, Operator: corev1.TolerationOpExists}}
	}
	t.Spec = spec
	if c.chance(5) {
		t.Finalizers = []string{"example.com/keep"}
	}
	if spec.TerminationGracePeriodSeconds != nil && *spec.TerminationGracePeriodSeconds == 900 {
		t.Annotations = map[string]string{play.EndsAfter: "1s"} // the process ends much earlier
	}
	return t
}

func (c *chance) application(name string) {
	c.apps = append(c.apps, name)
	replicas, t := int32(1+c.IntN(5)), c.template(name)
	selector := &metav1.LabelSelector{MatchLabels: t.Labels}
	ctx, meta := c.t.Context(), metav1.ObjectMeta{Name: name}
	var err error
	kind := c.IntN(6)
	if c.gentle && kind == 2 {
		kind++ // the PodDisruptionBudget of a Job counts nothing
	}
	switch kind {
	case 0:
		policy := oneOf(c, appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement)
		_, err = client.AppsV1().StatefulSets(c.namespace).Create(ctx, &appsv1.StatefulSet{ObjectMeta: meta,
			Spec: appsv1.StatefulSetSpec{Replicas: &replicas, Selector: selector, Template: t, PodManagementPolicy: policy}}, metav1.CreateOptions{})
	case 1:
		_, err = client.AppsV1().ReplicaSets(c.namespace).Create(ctx, &appsv1.ReplicaSet{ObjectMeta: meta,
			Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: selector, Template: t}}, metav1.CreateOptions{})
	case 2:
		t.Spec.RestartPolicy = corev1.RestartPolicyNever
		_, err = client.BatchV1().Jobs(c.namespace).Create(ctx, &batchv1.Job{ObjectMeta: meta,
			Spec: batchv1.JobSpec{Parallelism: &replicas, Template: t}}, metav1.CreateOptions{})
	default:
		_, err = client.AppsV1().Deployments(c.namespace).Create(ctx, &appsv1.Deployment{ObjectMeta: meta,
			Spec: appsv1.DeploymentSpec{Replicas: &replicas, Selector: selector, Template: t}}, metav1.CreateOptions{})
	}
	c.check(err)
	c.check(c.until("the pods of "+name, func() bool { return len(c.of(name)) >= int(replicas) || c.ordered(name) }))
}

// ordered reports whether a StatefulSet waits for a pod that never becomes ready.
func (c *chance) ordered(name string) bool {
	return slices.ContainsFunc(c.of(name), func(p corev1.Pod) bool { return homeless(&p) })
}

// naked creates pods without a controller, or with a controller that a PodDisruptionBudget cannot count.
func (c *chance) naked() {
	for i := range 1 + c.IntN(2) {
		t := c.template(oneOf(c, "app0", "naked"))
		p := &corev1.Pod{ObjectMeta: t.ObjectMeta, Spec: t.Spec}
		p.Name = fmt.Sprintf("naked-%d", i)
		if c.chance(40) {
			owner, err := client.CoreV1().ConfigMaps(c.namespace).Create(c.t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "owner-" + p.Name}}, metav1.CreateOptions{})
			c.check(err)
			yes := true
			p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID, Controller: &yes}}
		}
		_, err := client.CoreV1().Pods(c.namespace).Create(c.t.Context(), p, metav1.CreateOptions{})
		c.check(err)
	}
}

func (c *chance) daemons() {
	t := c.template("daemon")
	t.Spec.Containers[0].Resources.Requests = nil
	_, err := client.AppsV1().DaemonSets(c.namespace).Create(c.t.Context(), &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "daemon"},
		Spec: appsv1.DaemonSetSpec{Selector: &metav1.LabelSelector{MatchLabels: t.Labels}, Template: t}}, metav1.CreateOptions{})
	c.check(err)
	c.check(c.until("the daemons", func() bool { return len(c.of("daemon")) == len(c.on) }))
}

// mirror creates the mirror pod of a static pod.
func (c *chance) mirror() {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "static-" + c.on[0], Annotations: map[string]string{corev1.MirrorPodAnnotationKey: "x"}}, Spec: podSpec(1)}
	p.Spec.NodeName = c.on[0]
	_, err := client.CoreV1().Pods(c.namespace).Create(c.t.Context(), p, metav1.CreateOptions{})
	c.check(err)
}

func (c *chance) budgets() {
	for _, app := range append([]string{"naked"}, c.apps...) {
		most := oneOf(c, 0, 1, 1, 1, 1, 1, 1, 2)
		if c.gentle {
			most = min(most, 1)
		}
		for i := range most {
			c.randomBudget(fmt.Sprintf("%s-budget-%d", app, i), &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}})
		}
	}
	if !c.gentle && c.chance(8) {
		c.randomBudget("all", &metav1.LabelSelector{})
	}
}

func (c *chance) randomBudget(name string, selector *metav1.LabelSelector) {
	b := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: policyv1.PodDisruptionBudgetSpec{Selector: selector}}
	v := intstr.FromInt32(int32(c.IntN(5)))
	if c.gentle {
		v = intstr.FromInt32(int32(1 + c.IntN(2)))
		b.Spec.MaxUnavailable = &v
		_, err := client.PolicyV1().PodDisruptionBudgets(c.namespace).Create(c.t.Context(), b, metav1.CreateOptions{})
		c.check(err)
		return
	}
	if c.chance(40) {
		v = intstr.FromString(fmt.Sprintf("%d%%", 10*c.IntN(11)))
	}
	if c.chance(50) {
		b.Spec.MinAvailable = &v
	} else {
		b.Spec.MaxUnavailable = &v
	}
	if policy := oneOf(c, "", policyv1.IfHealthyBudget, policyv1.AlwaysAllow); policy != "" {
		b.Spec.UnhealthyPodEvictionPolicy = &policy
	}
	_, err := client.PolicyV1().PodDisruptionBudgets(c.namespace).Create(c.t.Context(), b, metav1.CreateOptions{})
	c.check(err)
}

// spoil makes some pods unhealthy, and deletes some.
func (c *chance) spoil() {
	for _, p := range c.pods() {
		switch {
		case p.Spec.NodeName == "" || p.Annotations[corev1.MirrorPodAnnotationKey] != "":
		case c.chance(15):
			c.sicken(&p)
		case c.chance(6):
			now := metav1.DeleteOptions{}
			c.check(client.CoreV1().Pods(c.namespace).Delete(c.t.Context(), p.Name, now))
		}
	}
}

// sicken makes the container of the pod crash repeatedly.
func (c *chance) sicken(p *corev1.Pod) {
	patch, err := json.Marshal(map[string]any{"status": corev1.PodStatus{
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: metav1.Now()}},
		ContainerStatuses: []corev1.ContainerStatus{{Name: "main", Image: "app", RestartCount: 7,
			State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}}},
	}})
	c.check(err)
	_, err = client.CoreV1().Pods(c.namespace).Patch(c.t.Context(), p.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	c.check(err)
}

// webhooks adds a webhook for evictions in this namespace: it denies, allows, or does not answer.
func (c *chance) webhooks() {
	if !c.chance(20) {
		return
	}
	none, fail, path := hooksv1.SideEffectClassNone, hooksv1.Fail, "/"
	hook := hooksv1.ValidatingWebhook{
		Name: "evict.lab.example.com", SideEffects: &none, FailurePolicy: &fail, AdmissionReviewVersions: []string{"v1"},
		NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: c.namespace}},
		Rules: []hooksv1.RuleWithOperations{{Operations: []hooksv1.OperationType{hooksv1.Create},
			Rule: hooksv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods/eviction"}}}},
	}
	if c.chance(40) {
		hook.ClientConfig.Service = &hooksv1.ServiceReference{Namespace: c.namespace, Name: "gone", Path: &path}
	} else {
		c.refused = c.chance(60)
		url, ca := c.admission(!c.refused)
		hook.ClientConfig = hooksv1.WebhookClientConfig{URL: &url, CABundle: ca}
	}
	hooks := client.AdmissionregistrationV1().ValidatingWebhookConfigurations()
	_, err := hooks.Create(c.t.Context(), &hooksv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: c.namespace}, Webhooks: []hooksv1.ValidatingWebhook{hook}}, metav1.CreateOptions{})
	c.check(err)
	c.t.Cleanup(func() { _ = hooks.Delete(context.Background(), c.namespace, metav1.DeleteOptions{}) })
	time.Sleep(time.Second) // the API server gets it through a watch
}

// admission serves a webhook on the loopback.
func (c *chance) admission(allow bool) (url string, ca []byte) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if json.NewDecoder(r.Body).Decode(&review) != nil || review.Request == nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: allow, Result: &metav1.Status{Message: "not now"}}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(&review)
	}))
	c.t.Cleanup(server.Close)
	var out bytes.Buffer
	c.check(pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	return server.URL, out.Bytes()
}

// still waits until every pod is in its final state, and the PodDisruptionBudgets have counted it.
func (c *chance) still() {
	c.t.Helper()
	moving := ""
	err := c.until("a cluster in which nothing changes", func() bool {
		moving = c.uncounted()
		for _, p := range c.pods() {
			if p.DeletionTimestamp == nil && !started(&p) && !homeless(&p) {
				moving = fmt.Sprintf("pod %s on %q: %+v", p.Name, p.Spec.NodeName, p.Status)
			}
		}
		return moving == ""
	})
	if err != nil {
		c.t.Fatalf("%v: %s", err, moving)
	}
}

// started reports whether the kubelet has finished its work.
func started(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodReady }) &&
		(serves(p) || len(p.Status.ContainerStatuses) > 0)
}

func serves(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

func homeless(p *corev1.Pod) bool {
	return p.Spec.NodeName == "" && slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse
	})
}

// uncounted returns a PodDisruptionBudget that has not counted its healthy pods yet, or "".
func (c *chance) uncounted() string {
	list, err := client.PolicyV1().PodDisruptionBudgets(c.namespace).List(c.t.Context(), metav1.ListOptions{})
	c.check(err)
	for _, b := range list.Items {
		if slices.ContainsFunc(b.Status.Conditions, func(x metav1.Condition) bool { return x.Reason == policyv1.SyncFailedReason }) {
			continue
		}
		selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
		c.check(err)
		n := 0
		for _, p := range c.pods() {
			if p.DeletionTimestamp == nil && serves(&p) && selector.Matches(labels.Set(p.Labels)) {
				n++
			}
		}
		shared := slices.ContainsFunc(list.Items, func(other policyv1.PodDisruptionBudget) bool { return other.Name != b.Name && c.both(&b, &other) })
		// If several PodDisruptionBudgets share a pod, a change of the pod updates only one of them.
		if b.Status.ObservedGeneration != b.Generation || int(b.Status.CurrentHealthy) != n && !shared {
			return fmt.Sprintf("budget %s, %d healthy: %+v", b.Name, n, b.Status)
		}
	}
	return ""
}

// both reports whether two PodDisruptionBudgets select the same pod.
func (c *chance) both(a, b *policyv1.PodDisruptionBudget) bool {
	x, err := metav1.LabelSelectorAsSelector(a.Spec.Selector)
	c.check(err)
	y, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
	c.check(err)
	return slices.ContainsFunc(c.pods(), func(p corev1.Pod) bool { return x.Matches(labels.Set(p.Labels)) && y.Matches(labels.Set(p.Labels)) })
}

func (c *chance) of(app string) []corev1.Pod {
	var out []corev1.Pod
	for _, p := range c.pods() {
		if p.Labels["app"] == app {
			out = append(out, p)
		}
	}
	return out
}
