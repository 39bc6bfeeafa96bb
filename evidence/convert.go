package evidence

import (
	"crypto/sha256"
	"maps"
	"reflect"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// Templates shares the common parts of pods with one template. It is not safe for concurrent use.
type Templates struct {
	specs  map[[sha256.Size]byte]*corev1.PodSpec
	labels map[string]map[string]string
	texts  map[string]string
	size   int
	// resources are those of containers, by their encoded form.
	resources map[string]corev1.ResourceRequirements

	before *corev1.PodSpec   // of the previous pod, unmodified
	shared *corev1.PodSpec   // its shared instance
	marked map[string]string // the labels that were shared last
}

// Size returns an upper estimate of the store's memory in bytes.
func (t *Templates) Size() int { return t.size }

// NewTemplates returns an empty store.
func NewTemplates() *Templates {
	return &Templates{
		specs:  map[[sha256.Size]byte]*corev1.PodSpec{},
		labels: map[string]map[string]string{},
		texts:  map[string]string{},

		resources: map[string]corev1.ResourceRequirements{},
	}
}

// share returns the shared instance of a text in many objects: names of nodes, namespaces, owners.
func (t *Templates) share(text string) string {
	if known, ok := t.texts[text]; ok {
		return known
	}
	t.texts[text] = text
	t.size += 64 + len(text)
	return text
}

// FromPod converts an API object to a small Pod. It may modify the object.
func (t *Templates) FromPod(p *corev1.Pod) *Pod {
	out := &Pod{
		Namespace: t.share(p.Namespace), Name: p.Name, UID: string(p.UID), Node: t.share(p.Spec.NodeName),
		Labels: t.shareLabels(p.Labels), Owner: t.owner(p.OwnerReferences),
		Phase: corev1.PodPhase(t.share(string(p.Status.Phase))), Reason: t.share(p.Status.Reason), Message: t.share(p.Status.Message),
		IP: p.Status.PodIP, QOS: t.share(string(p.Status.QOSClass)),
		Created: p.CreationTimestamp.UTC(), Finalizers: p.Finalizers,
		Mirror: p.Annotations[corev1.MirrorPodAnnotationKey] != "", Ignore: boundedMark(p.Annotations[MarkIgnore]),
		Total: len(p.Spec.Containers),
	}
	if p.DeletionTimestamp != nil {
		out.Deleted = p.DeletionTimestamp.UTC()
		if p.DeletionGracePeriodSeconds != nil {
			out.Grace = *p.DeletionGracePeriodSeconds
		}
	}
	out.addConditions(p.Status.Conditions)
	out.Nominated = t.share(p.Status.NominatedNodeName)
	out.Resized = resized(p)
	for _, c := range p.Status.InitContainerStatuses {
		out.addContainer(c, true)
	}
	for _, c := range p.Status.ContainerStatuses {
		out.addContainer(c, false)
		out.count(c)
	}
	out.Status = t.share(PodStatus(p))
	p.Spec.NodeName = "" // it is in Node, and would make every spec unique
	out.Spec = t.specAsBefore(&p.Spec)
	return out
}

// addConditions adds the readiness, and the conditions that show a problem.
func (p *Pod) addConditions(list []corev1.PodCondition) {
	for _, c := range list {
		if c.Type == corev1.PodReady {
			p.Ready, p.ReadySince = Known(c.Status == corev1.ConditionTrue), c.LastTransitionTime.UTC()
		}
		if c.Status != corev1.ConditionTrue || c.Type == corev1.DisruptionTarget || c.Type == corev1.PodResizePending {
			p.Conditions = append(p.Conditions, PodCondition{
				Type: string(c.Type), Status: string(c.Status), Reason: c.Reason, Message: c.Message,
				Since: c.LastTransitionTime.UTC(),
			})
		}
	}
}

// addContainer adds a container that is not healthy.
func (p *Pod) addContainer(c corev1.ContainerStatus, init bool) {
	if k := fromContainer(c, init); k != nil {
		p.Containers = append(p.Containers, *k)
	}
}

// count adds the restarts and the readiness of a container, and extends the times of the pod. Init containers do not count.
func (p *Pod) count(c corev1.ContainerStatus) {
	if r := c.State.Running; r != nil && r.StartedAt.After(p.Started) {
		p.Started = r.StartedAt.UTC()
	}
	if t := c.State.Terminated; t != nil && t.FinishedAt.After(p.Ended) {
		p.Ended = t.FinishedAt.UTC()
	}
	p.Restarts += int(c.RestartCount)
	if c.Ready {
		p.ReadyCount++
	}
}

// specAsBefore is shareSpec with a fast path if the spec equals that of the previous pod: pods of one template are
// adjacent in a list.
func (t *Templates) specAsBefore(spec *corev1.PodSpec) *corev1.PodSpec {
	if t.before == nil || !reflect.DeepEqual(spec, t.before) { // fast if they share parts
		came := *spec
		t.before, t.shared = &came, t.shareSpec(spec)
	}
	return t.shared
}

// fromContainer returns nil for a healthy running container.
func fromContainer(c corev1.ContainerStatus, init bool) *Container {
	k := &Container{Name: c.Name, Init: init, Ready: c.Ready, Restarts: int(c.RestartCount), Image: c.Image}
	switch {
	case c.State.Waiting != nil:
		k.State, k.Reason, k.Message = "waiting", c.State.Waiting.Reason, c.State.Waiting.Message
	case c.State.Terminated != nil:
		t := c.State.Terminated
		k.State, k.Reason, k.Message, k.ExitCode = "terminated", t.Reason, t.Message, int(t.ExitCode)
		if init && t.ExitCode == 0 && c.RestartCount == 0 {
			return nil
		}
	case c.State.Running != nil:
		k.State = "running"
		if c.RestartCount == 0 && c.Ready {
			return nil
		}
	default:
		k.State = "waiting"
	}
	if t := c.LastTerminationState.Terminated; t != nil {
		k.LastReason, k.LastMessage, k.LastExitCode, k.LastEnd = t.Reason, t.Message, int(t.ExitCode), t.FinishedAt.UTC()
	}
	return k
}

func (t *Templates) owner(owners []metav1.OwnerReference) Owner {
	for _, o := range owners {
		if o.Controller != nil && *o.Controller {
			return Owner{Kind: t.share(ownerKind(&o)), Name: t.share(o.Name), UID: t.share(string(o.UID))}
		}
	}
	return Owner{}
}

// Share returns the shared instance of a trimmed spec and labels, as in a bundle.
func (t *Templates) Share(spec *corev1.PodSpec, labels map[string]string) (*corev1.PodSpec, map[string]string) {
	if spec != nil {
		spec = t.shareSpec(spec)
	}
	return spec, t.shareLabels(labels)
}

// shareSpec trims the spec and returns its shared instance.
func (t *Templates) shareSpec(spec *corev1.PodSpec) *corev1.PodSpec {
	TrimPodSpec(spec)
	text, err := spec.Marshal()
	if err != nil {
		return spec
	}
	key := sha256.Sum256(text)
	if known := t.specs[key]; known != nil {
		return known
	}
	kept := spec.DeepCopy() // a copy: the original keeps a whole page of objects in memory
	t.shareResources(kept.InitContainers)
	t.shareResources(kept.Containers)
	t.specs[key] = kept
	t.size += 1000 + 4*len(text)
	return kept
}

// shareResources shares the requests and limits of containers, which are few in a cluster and half of the memory of a spec.
func (t *Templates) shareResources(containers []corev1.Container) {
	for i := range containers {
		c := &containers[i]
		text, err := c.Resources.Marshal()
		if err != nil || len(text) == 0 {
			continue
		}
		known, is := t.resources[string(text)]
		if !is {
			known = c.Resources
			t.resources[string(text)] = known
		}
		c.Resources = known
	}
}

func (t *Templates) shareLabels(labels map[string]string) map[string]string {
	if len(labels) == 0 {
		return nil
	}
	if !maps.Equal(labels, t.marked) { // pods of one template are adjacent in a list
		t.marked = t.labelsOnce(labels)
	}
	return t.marked
}

func (t *Templates) labelsOnce(labels map[string]string) map[string]string {
	for _, k := range []string{"statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index"} {
		if labels[k] != "" {
			t.size += sizeOf(labels)
			return labels // only for this pod
		}
	}
	var key strings.Builder
	for _, k := range sortedKeys(labels) {
		key.WriteString(k + "\x00" + labels[k] + "\x00")
	}
	if known := t.labels[key.String()]; known != nil {
		return known
	}
	t.labels[key.String()] = labels
	t.size += key.Len() + sizeOf(labels)
	return labels
}

func sizeOf(labels map[string]string) int {
	n := 200
	for k, v := range labels {
		n += 50 + len(k) + len(v)
	}
	return n
}

// TrimPodSpec removes fields that no rule, forecast or plan reads: environment values, probe details, the service
// account token volume. It also removes commands and arguments because they may contain secrets.
func TrimPodSpec(spec *corev1.PodSpec) {
	isToken := func(name string) bool { return strings.HasPrefix(name, "kube-api-access-") }
	volumes := spec.Volumes[:0]
	for _, v := range spec.Volumes {
		if !isToken(v.Name) {
			volumes = append(volumes, v)
		}
	}
	spec.Volumes = volumes
	spec.EphemeralContainers = nil // of kubectl debug: they have no resources
	if len(volumes) == 0 {
		spec.Volumes = nil
	}
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			c := &list[i]
			c.Env, c.EnvFrom, c.Command, c.Args = nil, nil, nil, nil
			c.TerminationMessagePath, c.TerminationMessagePolicy, c.ImagePullPolicy = "", "", ""
			mounts := c.VolumeMounts[:0]
			for _, m := range c.VolumeMounts {
				if !isToken(m.Name) {
					mounts = append(mounts, m)
				}
			}
			c.VolumeMounts = mounts
			if len(mounts) == 0 {
				c.VolumeMounts = nil
			}
			for _, p := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
				if p != nil {
					trimCall(p.Exec, p.HTTPGet)
				}
			}
			if l := c.Lifecycle; l != nil {
				for _, h := range []*corev1.LifecycleHandler{l.PostStart, l.PreStop} {
					if h != nil {
						trimCall(h.Exec, h.HTTPGet)
					}
				}
			}
		}
	}
}

// trimCall removes the command or the headers of a probe or hook because they may contain secrets.
func trimCall(exec *corev1.ExecAction, get *corev1.HTTPGetAction) {
	if exec != nil {
		exec.Command = nil
	}
	if get != nil {
		get.HTTPHeaders = nil
	}
}

// TrimMeta removes metadata about how an object was written.
func TrimMeta(m *metav1.ObjectMeta) {
	m.ManagedFields = nil
	delete(m.Annotations, corev1.LastAppliedConfigAnnotation)
}

// maxAnnotation bounds the annotations of a node, in bytes.
const maxAnnotation = 512

// boundedMark bounds a mark because untrusted users may write it.
func boundedMark(v string) string {
	if len(v) <= maxAnnotation {
		return v
	}
	return strings.ToValidUTF8(v[:maxAnnotation], "")
}

// FromNode trims a node object and takes ownership of it.
func FromNode(n *corev1.Node) *Node {
	cordoned := keepCordonManagers(n.ManagedFields)
	TrimMeta(&n.ObjectMeta)
	n.ManagedFields = cordoned
	n.Status.Images = nil
	for k, v := range n.Annotations {
		if len(v) > maxAnnotation {
			n.Annotations[k] = strings.ToValidUTF8(v[:maxAnnotation], "")
		}
	}
	return &Node{Node: n}
}

// keepCordonManagers keeps who set spec.unschedulable, and when. Managed fields have no other use here.
func keepCordonManagers(list []metav1.ManagedFieldsEntry) []metav1.ManagedFieldsEntry {
	var out []metav1.ManagedFieldsEntry
	for _, m := range list {
		if m.FieldsV1 != nil && strings.Contains(string(m.FieldsV1.GetRawBytes()), `"f:unschedulable"`) {
			out = append(out, metav1.ManagedFieldsEntry{Manager: m.Manager, Operation: m.Operation, Time: m.Time})
		}
	}
	return out
}

// FromNamespace keeps the labels of a namespace because affinity selects by them.
func FromNamespace(n *corev1.Namespace) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels, DeletionTimestamp: n.DeletionTimestamp}}
}

// fromPolicy keeps the fields of a policy that decide requests.
func fromPolicy(p *admissionv1.ValidatingAdmissionPolicy) *admissionv1.ValidatingAdmissionPolicy {
	return &admissionv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: p.Name}, Spec: p.Spec}
}

// fromPolicyBinding keeps the binding of a policy.
func fromPolicyBinding(b *admissionv1.ValidatingAdmissionPolicyBinding) *admissionv1.ValidatingAdmissionPolicyBinding {
	return &admissionv1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: b.Name}, Spec: b.Spec}
}

// fromMutation keeps the changes of a policy.
func fromMutation(p *admissionv1.MutatingAdmissionPolicy) *admissionv1.MutatingAdmissionPolicy {
	return &admissionv1.MutatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: p.Name}, Spec: p.Spec}
}

// fromMutationBinding keeps the binding of a policy.
func fromMutationBinding(b *admissionv1.MutatingAdmissionPolicyBinding) *admissionv1.MutatingAdmissionPolicyBinding {
	return &admissionv1.MutatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: b.Name}, Spec: b.Spec}
}

// FromLease converts an API object to a Lease.
func FromLease(l *coordinationv1.Lease) *Lease {
	out := &Lease{Namespace: l.Namespace, Name: l.Name}
	if l.Spec.HolderIdentity != nil {
		out.Holder = *l.Spec.HolderIdentity
	}
	if l.Spec.RenewTime != nil {
		out.Renewed = l.Spec.RenewTime.UTC()
	}
	if l.Spec.AcquireTime != nil {
		out.Acquired = l.Spec.AcquireTime.UTC()
	}
	if l.Spec.LeaseDurationSeconds != nil {
		out.Duration = bounds.Times(int64(*l.Spec.LeaseDurationSeconds), time.Second)
	}
	return out
}

// fromEvent converts an API object to an Event.
func fromEvent(e *corev1.Event) *Event {
	out := &Event{
		Object:    Subject{Kind: e.InvolvedObject.Kind, Namespace: e.InvolvedObject.Namespace, Name: e.InvolvedObject.Name},
		Namespace: e.Namespace,
		Type:      e.Type, Reason: e.Reason, Message: e.Message,
		Component: e.Source.Component, Host: e.Source.Host, Count: int(e.Count),
		First: e.FirstTimestamp.UTC(), Last: e.LastTimestamp.UTC(),
	}
	if out.Component == "" {
		out.Component = e.ReportingController
	}
	if e.FirstTimestamp.IsZero() {
		out.First = e.EventTime.UTC()
	}
	if e.LastTimestamp.IsZero() {
		out.Last = e.EventTime.UTC()
	}
	if e.Series != nil {
		out.Count = int(e.Series.Count)
		out.Last = e.Series.LastObservedTime.UTC()
	}
	if out.Object.Kind == "Node" {
		out.Object.Namespace = "" // events about nodes have the namespace in which they are stored
	}
	return out
}
