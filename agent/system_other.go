//go:build !linux

package agent

// realSystem: nodes are Linux machines; elsewhere the probes read folders.
func realSystem() system { return folderSystem() }

// holds: only Linux divides the rights of root.
func holds(capability) bool { return false }
