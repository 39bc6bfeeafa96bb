package nodereport

import "time"

// Setup is the configuration of the node in files that people and tools change. It contains no secrets.
type Setup struct {
	// Files are the existing files, ordered by area and name. They include kernel tables, which have no time, and
	// process flags.
	Files []SetupFile `json:"files"`
	// Cut: some files were omitted, so a missing file may exist.
	Cut bool `json:"cut,omitempty"`
}

// SetupFile is one file and its settings.
type SetupFile struct {
	Path string `json:"path"`
	// Area is one of SetupAreas.
	Area string `json:"area"`
	// Changed is the modification time of the file; zero: unknown.
	Changed time.Time `json:"changed,omitzero"`
	// Settings are its values by name; in nested files the name is the path. A long value is cut and ends with its
	// digest.
	Settings map[string]string `json:"settings,omitempty"`
	// Error is why it does not parse; Unread why it could not be read.
	Error  string `json:"error,omitempty"`
	Unread string `json:"unread,omitempty"`
	// Cut: some settings were omitted.
	Cut bool `json:"cut,omitempty"`
}

// Areas of a setup.
const (
	SetupKubelet  = "kubelet"
	SetupUnits    = "units" // systemd units of the node
	SetupRuntime  = "runtime"
	SetupRegistry = "registry" // registry configuration of the runtime
	SetupCNI      = "cni"
	SetupKernel   = "kernel" // settings and the command line
	SetupModules  = "modules"
	SetupNetwork  = "network" // addresses, links and packet filters of the node
	SetupDNS      = "dns"     // including the hosts file
	SetupProxy    = "proxy"
	SetupTrust    = "trust" // CAs, and the API server of the kubelet
	SetupMounts   = "mounts"
	SetupClock    = "clock"
	SetupSystem   = "system" // name, time zone, security modules, limits
	SetupPackages = "packages"
)

// SetupAreas are all areas, the most relevant for a broken node first.
var SetupAreas = []string{
	SetupKubelet, SetupUnits, SetupRuntime, SetupCNI, SetupRegistry, SetupKernel, SetupModules, SetupNetwork, SetupDNS, SetupProxy, SetupTrust,
	SetupMounts, SetupClock, SetupSystem, SetupPackages,
}
