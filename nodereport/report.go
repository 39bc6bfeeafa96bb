// Package nodereport is what one node says about itself: file systems, units, certificates, kernel, runtime.
//
// The agent writes it on the node; a pasted df, systemctl or lsmod fills the part that it shows. Every
// section is a pointer or a slice whose absence means "not looked at", never "nothing there". The package
// depends on the standard library alone so that the agent stays small.
package nodereport

import "time"

// APIVersion and Kind identify the JSON form.
const (
	APIVersion = "nodetriage.dev/v1alpha1"
	Kind       = "NodeReport"
)

// Report is one node's view of itself at one time.
type Report struct {
	APIVersion string    `json:"apiVersion,omitempty"`
	Kind       string    `json:"kind,omitempty"`
	Node       string    `json:"node,omitempty"` // node name; empty where the text does not say
	TakenAt    time.Time `json:"takenAt,omitzero"`
	Source     string    `json:"source,omitempty"` // file or probe that it was read from

	Filesystems  []Filesystem      `json:"filesystems,omitempty"`
	Units        []Unit            `json:"units,omitempty"`
	Certificates []Certificate     `json:"certificates,omitempty"`
	Modules      *Modules          `json:"modules,omitempty"`
	Sysctls      map[string]string `json:"sysctls,omitempty"`
	Links        []Link            `json:"links,omitempty"`
	Routes       []Route           `json:"routes,omitempty"`
	Memory       *Memory           `json:"memory,omitempty"`
	Tasks        *Tasks            `json:"tasks,omitempty"`
	Swaps        []string          `json:"swaps,omitempty"`
	Runtime      *Runtime          `json:"runtime,omitempty"`
	CNI          *CNI              `json:"cni,omitempty"`
	Clock        *Clock            `json:"clock,omitempty"`
	Gaps         []Gap             `json:"gaps,omitempty"`
}

// Filesystem is one mounted file system. Zero totals mean that this half was not measured.
type Filesystem struct {
	Device     string `json:"device,omitempty"`
	Mount      string `json:"mount"`
	Type       string `json:"type,omitempty"`
	Bytes      uint64 `json:"bytes,omitempty"` // size in bytes
	BytesFree  uint64 `json:"bytesFree,omitempty"`
	Inodes     uint64 `json:"inodes,omitempty"`
	InodesFree uint64 `json:"inodesFree,omitempty"`
	// BytesUsedPercent and InodesUsedPercent are as the tool printed them, -1 where it printed none.
	BytesUsedPercent  int    `json:"bytesUsedPercent"`
	InodesUsedPercent int    `json:"inodesUsedPercent"`
	ReadOnly          bool   `json:"readOnly,omitempty"`
	Ref               string `json:"ref,omitempty"` // the line or probe it rests on
}

// Unit is one systemd unit.
type Unit struct {
	Name       string    `json:"name"`             // "kubelet.service"
	Load       string    `json:"load,omitempty"`   // loaded, not-found, masked
	Active     string    `json:"active,omitempty"` // active, inactive, failed, activating
	Sub        string    `json:"sub,omitempty"`    // running, dead, auto-restart
	Result     string    `json:"result,omitempty"` // exit-code, oom-kill, timeout
	ExitStatus string    `json:"exitStatus,omitempty"`
	Enabled    string    `json:"enabled,omitempty"` // enabled, disabled, static
	Restarts   int       `json:"restarts,omitempty"`
	Since      time.Time `json:"since,omitzero"`
	Tasks      int       `json:"tasks,omitempty"`
	TasksMax   int       `json:"tasksMax,omitempty"`
	Ref        string    `json:"ref,omitempty"`
}

// Certificate is one X.509 certificate on the node.
type Certificate struct {
	Path      string    `json:"path,omitempty"`
	Subject   string    `json:"subject,omitempty"`
	Issuer    string    `json:"issuer,omitempty"`
	NotBefore time.Time `json:"notBefore,omitzero"`
	NotAfter  time.Time `json:"notAfter,omitzero"`
	Use       string    `json:"use,omitempty"` // kubelet-client, kubelet-serving, ca, or empty where unknown
	Ref       string    `json:"ref,omitempty"`
}

// Modules are the kernel modules that were seen loaded.
type Modules struct {
	Loaded []string `json:"loaded,omitempty"`
	// Complete: the whole list was seen, so a module that is missing from it is not loaded as a module.
	// It may still be built into the kernel; Builtin tells, where it was read.
	Complete bool     `json:"complete,omitempty"`
	Builtin  []string `json:"builtin,omitempty"`
	// Asked are names that were searched for (lsmod | grep NAME) without a line in the answer.
	Asked []string `json:"asked,omitempty"`
	Ref   string   `json:"ref,omitempty"`
}

// Link is one network interface.
type Link struct {
	Name  string `json:"name"`
	State string `json:"state,omitempty"` // UP, DOWN, UNKNOWN
	// Flags as ip prints them, for example NO-CARRIER.
	Flags     []string `json:"flags,omitempty"`
	Addresses []string `json:"addresses,omitempty"`
	Ref       string   `json:"ref,omitempty"`
}

// Route is one route; Destination is "default" for the default route.
type Route struct {
	Destination string `json:"destination"`
	Via         string `json:"via,omitempty"`
	Device      string `json:"device,omitempty"`
	Ref         string `json:"ref,omitempty"`
}

// Memory is in bytes.
type Memory struct {
	Total     uint64 `json:"total,omitempty"`
	Available uint64 `json:"available,omitempty"`
	Ref       string `json:"ref,omitempty"`
}

// Tasks counts processes and threads against their limit.
type Tasks struct {
	Current int    `json:"current,omitempty"`
	Max     int    `json:"max,omitempty"`
	Ref     string `json:"ref,omitempty"`
}

// Runtime is how the container runtime answered over the CRI.
type Runtime struct {
	Endpoint string `json:"endpoint,omitempty"`
	Name     string `json:"name,omitempty"`
	Version  string `json:"version,omitempty"`
	// Answer is "ok", "hung", "refused" or "error"; empty: not asked.
	Answer       string        `json:"answer,omitempty"`
	Latency      time.Duration `json:"latency,omitempty"`
	RuntimeReady *bool         `json:"runtimeReady,omitempty"`
	NetworkReady *bool         `json:"networkReady,omitempty"`
	Message      string        `json:"message,omitempty"`
	Ref          string        `json:"ref,omitempty"`
}

// CNI is what the node has of network configuration and plugins. A nil list was not read; an empty one was.
type CNI struct {
	ConfigDir string   `json:"configDir,omitempty"`
	Configs   []string `json:"configs"`
	BinDir    string   `json:"binDir,omitempty"`
	Binaries  []string `json:"binaries"`
	Ref       string   `json:"ref,omitempty"`
}

// Clock is the node's clock against a reference.
type Clock struct {
	Offset       time.Duration `json:"offset,omitempty"` // node minus reference
	Synchronized *bool         `json:"synchronized,omitempty"`
	Ref          string        `json:"ref,omitempty"`
}

// Gap is a probe that could not look.
type Gap struct {
	What string `json:"what"`
	Why  string `json:"why"`
	How  string `json:"how,omitempty"`
}
