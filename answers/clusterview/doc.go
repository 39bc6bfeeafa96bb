// Package clusterview computes what several plans need from a cluster: the workload of a pod, the counts of its
// PodDisruptionBudgets, and the webhooks and policies that reject its eviction. It also estimates how soon a similar pod is
// ready, and lists what is missing in the evidence. It decides nothing: drain, upgrade and review do.
package clusterview
