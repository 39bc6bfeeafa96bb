package agent

import (
	"context"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// probe reads one kind of fact. It fills a separate report, so a hanging probe does not block the others.
type probe struct {
	name  string
	limit time.Duration // timeout
	look  func(context.Context, *Host, *nodereport.Report) error
	node  bool // only useful on a node; elsewhere a missing fact means nothing
}

// how returns the command that shows the same by hand.
func (p probe) how() string { return string(nodereport.HowToSee(p.name)) }

// probes returns all probes. They run in parallel.
func probes() []probe {
	return []probe{
		{"machine", quick, machine, false},
		{"units", 12 * time.Second, units, true},
		{"kubelet", 8 * time.Second, kubeletHealth, true},
		{"runtime", criLimit + 4*time.Second, runtimeAnswers, true},
		{"journal", logLimit, journals, false},
		{"kernel log", logLimit, kernelLog, false},
		{"log files", logLimit, logFiles, false},
		{"file systems", 10 * time.Second, filesystems, false},
		{"memory", quick, memory, false},
		{"pressure", quick, pressure, false},
		{"tasks", quick, tasks, false},
		{"limits", 8 * time.Second, limits, false},
		{"processes", 8 * time.Second, processes, false},
		{"listeners", quick, listeners, true},
		{"links", quick, links, false},
		{"packets", 6 * time.Second, packets, false},
		{"mounts", quick, mountsUsed, false},
		{"block devices", quick, devices, false},
		{"disk errors", quick, diskErrors, false},
		{"kernel state", quick, kernelState, false},
		{"counters", quick, tallies, false},
		{"control groups", quick, groups, false},
		{"sockets", quick, endpoints, true},
		{"static pods", quick, staticPods, true},
		{"pod resolver", quick, podResolver, true},
		{"packet filter", quick, packetFilter, false},
		{"GPUs", quick, gpus, false},
		{"bootstrap", quick, bootstrap, false},
		{"setup", quick, setup, true},
		{"network configuration", quick, cni, true},
		{"kernel modules", quick, modules, true},
		{"certificates", quick, certificates, true},
		{"clock", quick, clock, false},
		{"API server", 14 * time.Second, apiServer, true},
		{"cloud", 8 * time.Second, cloud, false},
	}
}

// quick is the timeout of probes that only read kernel tables and small files.
const quick = 5 * time.Second
