// Package conformance compares predict with the behavior of Kubernetes. Each scenario runs on a real control plane with
// hollow nodes. Before the event, predict makes a forecast from a snapshot. Afterwards the test compares the fate and
// replacement of every pod and every time with the forecast. It also compares the widths of its intervals with the
// uncertainty of the mechanisms of Kubernetes.
package conformance
