//go:build !manpages

// Command nodetriage finds out why a Kubernetes node is unhealthy, what happens to its pods and what to do.
package main

import "os"

func main() { os.Exit(run()) }
