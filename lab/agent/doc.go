// Package agent holds the tests of what gets nodetriage onto a node: the agent as its DaemonSet brings it, a debug pod,
// and a user without privileges, on a real node.
package agent
