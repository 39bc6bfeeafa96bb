package triage

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/catalog"
	"github.com/nodetriage/nodetriage/nodereport"
)

// lies says where causes lie in how a node is set up: by the beginnings of their names, the first that fits, else by their layer.
var lies = []struct {
	causes string // beginnings, with spaces
	areas  []string
}{
	{"node-dns provision-dns", []string{nodereport.SetupDNS, nodereport.SetupUnits, nodereport.SetupNetwork}},
	{"kubelet-auth kubelet-client-cert kubelet-identity csr-", []string{nodereport.SetupTrust, nodereport.SetupClock, nodereport.SetupSystem,
		nodereport.SetupKubelet, nodereport.SetupUnits}},
	{"kubelet-port", []string{nodereport.SetupNetwork, nodereport.SetupKubelet, nodereport.SetupUnits}},
	{"cgroup-", []string{nodereport.SetupKubelet, nodereport.SetupRuntime, nodereport.SetupKernel, nodereport.SetupUnits}},
	{"apiserver- node-lost network-partition", []string{
		nodereport.SetupNetwork, nodereport.SetupTrust, nodereport.SetupDNS, nodereport.SetupProxy, nodereport.SetupKubelet,
		nodereport.SetupUnits, nodereport.SetupKernel,
	}},
	{"service-memory-limit", []string{nodereport.SetupUnits}},
	{"swap-", []string{nodereport.SetupMounts, nodereport.SetupKubelet}},
	{"clock-", []string{nodereport.SetupClock, nodereport.SetupUnits}},
	{"registry- sandbox-image image-", []string{nodereport.SetupRegistry, nodereport.SetupRuntime, nodereport.SetupProxy,
		nodereport.SetupTrust, nodereport.SetupDNS, nodereport.SetupNetwork}},
	{"cni- network- pod-cidr agent-", []string{nodereport.SetupCNI, nodereport.SetupNetwork, nodereport.SetupKernel, nodereport.SetupModules,
		nodereport.SetupRuntime}},
	{"kernel-module-missing", []string{nodereport.SetupModules, nodereport.SetupPackages, areaVersions}},
	{"kernel-setting-wrong inotify- pid- neighbour- conntrack-", []string{nodereport.SetupKernel, nodereport.SetupUnits, nodereport.SetupKubelet}},
	{"disk-pressure memory-pressure", []string{nodereport.SetupMounts, nodereport.SetupKubelet}},
	{"gpu-", []string{areaDevices, nodereport.SetupModules, nodereport.SetupPackages, areaVersions}},
}

// liesByLayer is the same by the layers of the catalogue.
var liesByLayer = map[string][]string{
	"machine":  {nodereport.SetupUnits, nodereport.SetupMounts, nodereport.SetupKernel, areaDevices},
	"kernel":   {nodereport.SetupKernel, nodereport.SetupModules, areaVersions},
	"storage":  {nodereport.SetupMounts, nodereport.SetupRuntime, nodereport.SetupModules},
	"runtime":  {nodereport.SetupRuntime, nodereport.SetupUnits, nodereport.SetupPackages, nodereport.SetupMounts, nodereport.SetupModules},
	"kubelet":  {nodereport.SetupKubelet, nodereport.SetupUnits, nodereport.SetupTrust, nodereport.SetupPackages},
	"identity": {nodereport.SetupTrust, nodereport.SetupClock, nodereport.SetupKubelet, nodereport.SetupSystem},
	"network": {nodereport.SetupNetwork, nodereport.SetupCNI, nodereport.SetupKernel, nodereport.SetupModules, nodereport.SetupDNS,
		nodereport.SetupProxy},
	"provisioning": {nodereport.SetupNetwork, nodereport.SetupDNS, nodereport.SetupProxy, nodereport.SetupTrust},
}

func suspectAreas(c *catalog.Cause) []string {
	for _, row := range lies {
		if slices.ContainsFunc(strings.Fields(row.causes), func(head string) bool { return strings.HasPrefix(c.ID, head) }) {
			return row.areas
		}
	}
	return liesByLayer[c.Layer]
}
