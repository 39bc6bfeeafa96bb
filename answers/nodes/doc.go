// Package nodes shows and judges all nodes on one screen: data that kubectl shows only in get nodes -o wide, describe node,
// top, and the lists of DaemonSets, system pods and pools together. A Map has one Node per line, grouped by pool and zone. A
// Detail has all relevant data about one node.
//
// It computes and does not print, so that the terminal, JSON and HTML show the same. It is pure: the time is an argument.
// Values that are not in the evidence are nil or empty, never zero.
package nodes
