// Package agent collects everything that a machine reports about itself as a Kubernetes node, in one pass: units,
// kubelet, runtime, logs, file systems, limits, network, certificates, clock and cloud.
//
// Each probe is one file and fills its part of a nodereport.Report. All probes read below a root folder. The same
// probes therefore run on the node, in a container with the root of the node as a mount, and on fixtures. A probe has a
// deadline. Probes that time out or miss a privilege are reported. The agent changes, restarts and runs nothing.
package agent
