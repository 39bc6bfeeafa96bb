// Package agent tests the ways to run nodetriage on a real node: the agent as a DaemonSet, a debug pod, and a user
// without privileges.
package agent
