// Package verify judges whether a node works again: each thing that a fix must bring back is a step, and what the
// rules find is one of them. A fix is proven by what is clear, never by what is unknown.
//
// It reads the evidence only. The canary pod is execute's; its steps are added to these.
package verify
