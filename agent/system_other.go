//go:build !linux

package agent

// realSystem: nodes are Linux machines; elsewhere the probes read folders.
func realSystem() system { return folderSystem() }
