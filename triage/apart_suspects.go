package triage

import (
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// layerAreas maps a layer to the areas of a node's setup in which its causes can be. It is used for causes that name no area.
var layerAreas = map[string][]string{
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

// areasOf returns the areas in which the cause can be.
func areasOf(c *catalog.Cause) []string {
	if len(c.Areas) > 0 {
		return c.Areas
	}
	return layerAreas[c.Layer]
}
