// Package agent asks a machine everything that it knows about itself as a Kubernetes node, in one pass: units,
// kubelet, runtime, logs, file systems, limits, network, certificates, clock and cloud.
//
// Each probe is one file and fills its part of a nodereport.Report. All look below a folder that stands in
// for the root of the machine, so that the same probes run on the node, in a container that sees the node's root
// somewhere else, and on fixtures. A probe has a deadline; one that does not return is left behind and
// reported, and so is one that lacks a privilege. Nothing here changes, restarts or runs anything.
package agent
