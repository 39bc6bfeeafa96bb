// Package repair plans one change in the cloud that mends nodes: every gate that must hold before it begins, what it does,
// and what must hold when it is done. The same evidence gives the same plan.
package repair
