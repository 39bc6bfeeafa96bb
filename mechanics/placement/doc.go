// Package placement is the vocabulary for where pods fit: a Board is a cluster to play on, an Answer says where a pod
// fits on it, or why nowhere. mechanics/placement/scheduler implements Board with the scheduler's own code; who asks needs this
// package only.
package placement
