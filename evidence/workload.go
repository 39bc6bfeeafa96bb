package evidence

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func (t *Templates) workload(kind string, m *metav1.ObjectMeta, selector *metav1.LabelSelector, pod *corev1.PodTemplateSpec) *Workload {
	w := &Workload{
		Kind: kind, Namespace: m.Namespace, Name: m.Name, UID: string(m.UID), Owner: t.owner(m.OwnerReferences),
		Selector: metav1.FormatLabelSelector(selector), Annotations: marks(m.Annotations),
	}
	if pod != nil && w.Owner.Kind != "Deployment" {
		w.Template = t.shareSpec(&pod.Spec)
		w.TemplateLabels = t.shareLabels(pod.Labels)
	}
	return w
}

// marks returns the annotations of a workload that this program reads.
func marks(all map[string]string) map[string]string {
	var out map[string]string
	for _, key := range []string{MarkIgnore, MarkSurge} {
		if v := all[key]; v != "" {
			if out == nil {
				out = map[string]string{}
			}
			out[key] = boundedMark(v)
		}
	}
	return out
}

func wanted(n *int32) int {
	if n == nil {
		return 1 // the API default
	}
	return int(*n)
}

// FromDeployment converts an API object to a Workload. It may modify the object, like the functions below.
func (t *Templates) FromDeployment(d *appsv1.Deployment) *Workload {
	w := t.workload("Deployment", &d.ObjectMeta, d.Spec.Selector, &d.Spec.Template)
	w.Replicas, w.Paused = wanted(d.Spec.Replicas), d.Spec.Paused
	w.Current, w.Ready = int(d.Status.Replicas), int(d.Status.ReadyReplicas)
	w.Available, w.Updated = int(d.Status.AvailableReplicas), int(d.Status.UpdatedReplicas)
	for _, c := range d.Status.Conditions {
		w.Conditions = append(w.Conditions, PodCondition{string(c.Type), string(c.Status), c.Reason, c.Message, c.LastTransitionTime.UTC()})
	}
	return w
}

// FromReplicaSet converts an API object to a Workload. If a Deployment owns the ReplicaSet, only the Deployment has the
// template, because a cluster keeps ten old ReplicaSets per Deployment.
func (t *Templates) FromReplicaSet(r *appsv1.ReplicaSet) *Workload {
	w := t.workload("ReplicaSet", &r.ObjectMeta, r.Spec.Selector, &r.Spec.Template)
	w.Replicas, w.Current = wanted(r.Spec.Replicas), int(r.Status.Replicas)
	w.Ready, w.Available, w.Updated = int(r.Status.ReadyReplicas), int(r.Status.AvailableReplicas), int(r.Status.Replicas)
	for _, c := range r.Status.Conditions {
		w.Conditions = append(w.Conditions, PodCondition{string(c.Type), string(c.Status), c.Reason, c.Message, c.LastTransitionTime.UTC()})
	}
	return w
}

// FromStatefulSet converts an API object to a Workload.
func (t *Templates) FromStatefulSet(s *appsv1.StatefulSet) *Workload {
	w := t.workload("StatefulSet", &s.ObjectMeta, s.Spec.Selector, &s.Spec.Template)
	w.Replicas, w.Current = wanted(s.Spec.Replicas), int(s.Status.Replicas)
	w.Ready, w.Available, w.Updated = int(s.Status.ReadyReplicas), int(s.Status.AvailableReplicas), int(s.Status.UpdatedReplicas)
	w.Parallel = s.Spec.PodManagementPolicy == appsv1.ParallelPodManagement
	w.OnDelete = s.Spec.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType
	if s.Spec.Ordinals != nil {
		w.Start = int(s.Spec.Ordinals.Start)
	}
	return w
}

// FromDaemonSet converts an API object to a Workload; Replicas is the desired number of nodes.
func (t *Templates) FromDaemonSet(d *appsv1.DaemonSet) *Workload {
	w := t.workload("DaemonSet", &d.ObjectMeta, d.Spec.Selector, &d.Spec.Template)
	w.Replicas, w.Current = int(d.Status.DesiredNumberScheduled), int(d.Status.CurrentNumberScheduled)
	w.OnDelete = d.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType
	w.Ready, w.Available, w.Updated = int(d.Status.NumberReady), int(d.Status.NumberAvailable), int(d.Status.UpdatedNumberScheduled)
	return w
}

// FromJob converts an API object to a Workload; Replicas is its parallelism.
func (t *Templates) FromJob(j *batchv1.Job) *Workload {
	w := t.workload("Job", &j.ObjectMeta, j.Spec.Selector, &j.Spec.Template)
	w.Replicas, w.Current = wanted(j.Spec.Parallelism), int(j.Status.Active)
	if j.Status.Ready != nil {
		w.Ready = int(*j.Status.Ready)
	}
	w.BackoffLimit, w.Failed = j.Spec.BackoffLimit, int(j.Status.Failed)
	for _, c := range j.Status.Conditions {
		w.Conditions = append(w.Conditions, PodCondition{string(c.Type), string(c.Status), c.Reason, c.Message, c.LastTransitionTime.UTC()})
	}
	if j.Spec.PodReplacementPolicy != nil {
		w.PodReplacement = t.share(string(*j.Spec.PodReplacementPolicy))
	}
	return w
}

// FromReplicationController converts an API object to a Workload.
func (t *Templates) FromReplicationController(r *corev1.ReplicationController) *Workload {
	w := t.workload("ReplicationController", &r.ObjectMeta, metav1.SetAsLabelSelector(r.Spec.Selector), r.Spec.Template)
	w.Replicas, w.Current = wanted(r.Spec.Replicas), int(r.Status.Replicas)
	w.Ready, w.Available, w.Updated = int(r.Status.ReadyReplicas), int(r.Status.AvailableReplicas), int(r.Status.Replicas)
	return w
}
