package evidence

import corev1 "k8s.io/api/core/v1"

// Requests returns the resource requests of a pod for the scheduler: the sum over containers and sidecars, or the
// largest init container plus earlier sidecars if that is more. Pod-level requests replace both. The overhead is added.
// It mirrors PodRequests of kubernetes/kubernetes staging/src/k8s.io/component-helpers/resource/helpers.go, v1.36.3.
func Requests(spec *corev1.PodSpec) corev1.ResourceList {
	out, sidecars, start := corev1.ResourceList{}, corev1.ResourceList{}, corev1.ResourceList{}
	for _, c := range spec.Containers {
		add(out, c.Resources.Requests)
	}
	for _, c := range spec.InitContainers {
		need := corev1.ResourceList{}
		add(need, c.Resources.Requests)
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			add(out, c.Resources.Requests)
			add(sidecars, c.Resources.Requests)
			need = sidecars
		} else {
			add(need, sidecars)
		}
		raise(start, need)
	}
	raise(out, start)
	if spec.Resources != nil {
		for name, q := range spec.Resources.Requests {
			out[name] = q
		}
	}
	add(out, spec.Overhead)
	return out
}

func add(sum, more corev1.ResourceList) {
	for name, q := range more {
		total := sum[name]
		total.Add(q)
		sum[name] = total
	}
}

func raise(to, from corev1.ResourceList) {
	for name, q := range from {
		if old, ok := to[name]; !ok || q.Cmp(old) > 0 {
			to[name] = q.DeepCopy()
		}
	}
}
