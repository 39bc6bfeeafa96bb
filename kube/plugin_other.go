//go:build !linux

package kube

// Elsewhere a plugin that hangs is left to its caller: the system does not list the children of a process.
func children() []int { return nil }

func endChildren([]int) {}
