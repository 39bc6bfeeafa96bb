// Package conformance holds predict to what Kubernetes does. Each scenario is played on a real control plane with
// hollow nodes; before the event, predict says from a snapshot what it will bring; afterwards every pod's fate and
// replacement and every time are compared with it, and the widths of its intervals with those that the mechanisms
// of Kubernetes leave open.
package conformance
