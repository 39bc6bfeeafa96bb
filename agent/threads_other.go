//go:build !linux

package agent

// ReserveThreads has nothing to reserve where no agent runs.
func ReserveThreads(int) {}
