package nodereport

import "time"

// Setup is how the node is set up, by its own files: what people and their tools change. Nothing of it is secret.
type Setup struct {
	// Files are those that were there, in the order of their areas and names. The kernel's own tables, which have no time, and the
	// flags of a process stand among them.
	Files []SetupFile `json:"files"`
	// Cut: there was more than is kept, so that what is missing here may be there.
	Cut bool `json:"cut,omitempty"`
}

// SetupFile is one file and its settings.
type SetupFile struct {
	Path string `json:"path"`
	// Area is one of SetupAreas.
	Area string `json:"area"`
	// Changed is the time of the file's last change; zero: not known.
	Changed time.Time `json:"changed,omitzero"`
	// Settings are its values by their names: of nested files, the way to each. A long value is cut, and ends with its digest.
	Settings map[string]string `json:"settings,omitempty"`
	// Error is why the whole cannot be understood; Unread why it could not be read, so that it says nothing.
	Error  string `json:"error,omitempty"`
	Unread string `json:"unread,omitempty"`
	// Cut: it has more settings than are kept.
	Cut bool `json:"cut,omitempty"`
}

// Areas of a setup.
const (
	SetupKubelet  = "kubelet"
	SetupUnits    = "units" // of systemd: the files of those that make a node
	SetupRuntime  = "runtime"
	SetupRegistry = "registry" // how the runtime reaches registries
	SetupCNI      = "cni"
	SetupKernel   = "kernel" // settings and the command line
	SetupModules  = "modules"
	SetupNetwork  = "network" // addresses, links and packet filters of the node itself
	SetupDNS      = "dns"     // and the hosts file
	SetupProxy    = "proxy"
	SetupTrust    = "trust" // authorities, and whom the kubelet talks to
	SetupMounts   = "mounts"
	SetupClock    = "clock"
	SetupSystem   = "system" // name, time zone, security modules, limits
	SetupPackages = "packages"
)

// SetupAreas are all areas, from what says most of a node that does not work to what says least.
var SetupAreas = []string{
	SetupKubelet, SetupUnits, SetupRuntime, SetupCNI, SetupRegistry, SetupKernel, SetupModules, SetupNetwork, SetupDNS, SetupProxy, SetupTrust,
	SetupMounts, SetupClock, SetupSystem, SetupPackages,
}
