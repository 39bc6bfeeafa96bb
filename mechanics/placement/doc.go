// Package placement defines the types for scheduling simulations. A Board is a simulated cluster, and an Answer is
// where a pod fits on it. mechanics/placement/scheduler implements Board with the code of the scheduler; callers need
// only this package.
package placement
