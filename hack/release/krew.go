package main

import (
	"fmt"
	"strings"
)

// short is the program in a few words, as catalogues of programs show it.
const short = "Name the cause why a Kubernetes node does not work"

// krewManifest is what the index of krew has of a plugin: one archive for each system, with its sum.
func krewManifest(version string, archives []archive) string {
	var b strings.Builder
	fmt.Fprintf(&b, `apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: nodetriage
spec:
  version: v%s
  homepage: %s
  shortDescription: Name the cause why a node does not work
  description: |
    Tells why a Kubernetes node does not work, with the evidence it rests on,
    what to do about it, and what it could not see. From a live cluster, a
    bundle, a folder of whatever you saved, or pasted text. It only reads;
    drain and repair, which show their plan first, and verify --canary alone
    change something.
  caveats: |
    It reads with your own rights. What it may not read becomes a line under
    "Not checked". Try it without a cluster:
      kubectl nodetriage diagnose --example
  platforms:
`, version, page)
	for _, a := range archives {
		program := "nodetriage"
		if a.goos == "windows" {
			program += ".exe"
		}
		fmt.Fprintf(&b, `  - selector:
      matchLabels:
        os: %s
        arch: %s
    uri: %s
    sha256: %s
    bin: %s
`, a.goos, a.goarch, url(version, a.file), a.sha256, program)
	}
	return b.String()
}
