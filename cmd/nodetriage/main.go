//go:build !manpages

// Command nodetriage tells why a Kubernetes node does not work, what happens to its pods and what to do.
package main

import "os"

func main() { os.Exit(run()) }
