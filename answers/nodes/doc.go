// Package nodes puts all nodes on one screen, judged: what kubectl get nodes -o wide, describe node, top, and
// the lists of DaemonSets, system pods and pools show only together. A Map has one Node per line, grouped by
// pool and zone; a Detail has everything that matters about one node.
//
// It computes and prints nothing, so that the terminal, JSON and HTML show the same. It is pure: the time is
// an argument. What the evidence does not tell is nil or empty, never zero.
package nodes
