// Package repair plans one change in the cloud that fixes nodes: the gates that must pass before it begins, its effect, and
// what must be true afterwards. The same evidence gives the same plan.
package repair
