// Package clusterview answers what plans ask about a cluster again and again: which workload a pod belongs to, what its
// budgets count, which webhooks and policies refuse its eviction, how soon a pod like it is ready, and what of this the
// evidence does not have. It says what is, and decides nothing: drain, upgrade and review do.
package clusterview
