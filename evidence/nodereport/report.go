// Package nodereport defines the report of one node: file systems, units, certificates, kernel, runtime.
//
// The agent writes it on the node; a pasted df, systemctl or lsmod fills the part that it shows. Every section is a
// pointer or a slice. A nil section means "not read", never "none". The package depends only on the standard library so
// that the agent stays small.
package nodereport

import (
	"cmp"
	"time"
)

// APIVersion and Kind identify the JSON format.
const (
	APIVersion = "nodetriage.dev/v1alpha1"
	Kind       = "NodeReport"
)

// ForPeople is the folder with raw kernel tables in an archive of node-check. Rules do not read it because the report
// has the same data.
const ForPeople = "for-people"

// Report is the state of one node at one time.
type Report struct {
	APIVersion string    `json:"apiVersion,omitempty"`
	Kind       string    `json:"kind,omitempty"`
	Node       string    `json:"node,omitempty"` // node name; empty if unknown
	TakenAt    time.Time `json:"takenAt,omitzero"`
	Source     string    `json:"source,omitempty"` // file or probe
	// Away: the agent saved it because the API server did not answer. It describes the past, not the present.
	Away bool `json:"away,omitempty"`
	// Earlier are such reports of the same node, oldest first. All other parts describe the present.
	Earlier []*Report `json:"earlier,omitempty"`
	// Saved are the archives that the agent on the node keeps, newest first, next to its report.
	Saved []Saved `json:"saved,omitempty"`

	Filesystems []Filesystem `json:"filesystems,omitempty"`
	// Sizes are listed sizes of files and folders. node-check does not collect them.
	Sizes        []Size            `json:"sizes,omitempty"`
	Units        []Unit            `json:"units,omitempty"`
	Queue        *Queue            `json:"queue,omitempty"`
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
	Processes    []Process         `json:"processes,omitempty"` // node components, and stuck or dead processes
	// NotRunning are names without a match in the process list.
	NotRunning  []string          `json:"notRunning,omitempty"`
	Listeners   *Listeners        `json:"listeners,omitempty"`
	Limits      map[string]string `json:"limits,omitempty"` // from ulimit -a: "open files" -> "1024"
	Lookups     []Lookup          `json:"lookups,omitempty"`
	Connections []Connection      `json:"connections,omitempty"`
	Machine     *Machine          `json:"machine,omitempty"`
	Kubelet     *Kubelet          `json:"kubelet,omitempty"`
	Pressure    []Pressure        `json:"pressure,omitempty"`
	Counters    []Counter         `json:"counters,omitempty"`
	Losses      []Loss            `json:"losses,omitempty"`
	Needs       []Need            `json:"needs,omitempty"`
	Cloud       *Cloud            `json:"cloud,omitempty"`
	Hung        []Hung            `json:"hung,omitempty"`
	Kernel      *Kernel           `json:"kernel,omitempty"`
	Devices     []Device          `json:"devices,omitempty"`
	// DiskErrors are the errors that file systems and arrays recorded about their devices. A nil list was not read.
	DiskErrors   []DiskError   `json:"diskErrors,omitempty"`
	PacketFilter *PacketFilter `json:"packetFilter,omitempty"`
	Tallies      []Tally       `json:"tallies,omitempty"`
	Groups       *Groups       `json:"groups,omitempty"`
	Endpoints    []Endpoint    `json:"endpoints,omitempty"`
	StaticPods   []StaticPod   `json:"staticPods,omitempty"`
	PodResolver  *PodResolver  `json:"podResolver,omitempty"`
	GPUs         *GPUs         `json:"gpus,omitempty"`
	Bootstrap    []Bootstrap   `json:"bootstrap,omitempty"`
	Egress       []Egress      `json:"egress,omitempty"`
	Setup        *Setup        `json:"setup,omitempty"`
	Messages     []Message     `json:"messages,omitempty"`
	Logs         []Log         `json:"logs,omitempty"`
	Gaps         []Gap         `json:"gaps,omitempty"`
}

// Filesystem is one mounted file system. Totals of zero were not measured.
type Filesystem struct {
	Device     string `json:"device,omitempty"`
	Mount      string `json:"mount"`
	Type       string `json:"type,omitempty"`
	Bytes      uint64 `json:"bytes,omitempty"` // size in bytes
	BytesFree  uint64 `json:"bytesFree,omitempty"`
	Inodes     uint64 `json:"inodes,omitempty"`
	InodesFree uint64 `json:"inodesFree,omitempty"`
	// BytesUsedPercent and InodesUsedPercent are the printed values, or -1.
	BytesUsedPercent  int  `json:"bytesUsedPercent"`
	InodesUsedPercent int  `json:"inodesUsedPercent"`
	ReadOnly          bool `json:"readOnly,omitempty"`
	// Holds are the folders of kubelet, runtime and logs on it, if known.
	Holds []string `json:"holds,omitempty"`
	Ref   string   `json:"ref,omitempty"` // the line or probe
}

// Size is the size of a file, or of a folder with its content.
type Size struct {
	Path   string `json:"path"`
	Bytes  uint64 `json:"bytes,omitempty"`
	Inodes uint64 `json:"inodes,omitempty"` // files in it; 0: unknown
	Ref    string `json:"ref,omitempty"`    // the line
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
	Skipped    bool      `json:"skipped,omitempty"` // it was not started because a condition in its unit file was not met
	Restarts   int       `json:"restarts,omitempty"`
	Since      time.Time `json:"since,omitzero"`
	Tasks      int       `json:"tasks,omitempty"`
	TasksMax   int       `json:"tasksMax,omitempty"`
	MemoryMax  uint64    `json:"memoryMax,omitempty"` // bytes; 0: no limit, or unknown
	// Missing are the failed units that it requires, for a unit that does not run.
	Missing []string `json:"lacks,omitempty"`
	Ref     string   `json:"ref,omitempty"`
}

// Queue has the pending jobs of systemd. Nil: not read.
type Queue struct {
	Jobs []Job  `json:"jobs"`
	Ref  string `json:"ref,omitempty"`
}

// Job is one job of systemd.
type Job struct {
	Unit  string `json:"unit"`
	Type  string `json:"type"`  // start, stop, restart, ...
	State string `json:"state"` // waiting, running
	// After are the units whose jobs run first. None: none, or unknown.
	After []string `json:"after,omitempty"`
	Ref   string   `json:"ref,omitempty"`
}

// Certificate is one X.509 certificate on the node.
type Certificate struct {
	Path      string    `json:"path,omitempty"`
	Subject   string    `json:"subject,omitempty"`
	Issuer    string    `json:"issuer,omitempty"`
	NotBefore time.Time `json:"notBefore,omitzero"`
	NotAfter  time.Time `json:"notAfter,omitzero"`
	Use       string    `json:"use,omitempty"` // kubelet-client, kubelet-serving, ca, kubeconfig (of a person), or empty if unknown
	Ref       string    `json:"ref,omitempty"`
}

// Modules are the loaded kernel modules.
type Modules struct {
	Loaded []string `json:"loaded,omitempty"`
	// Complete: the list is complete, so a missing module is not loaded. It may be built into the kernel, which Builtin
	// shows if it was read.
	Complete bool     `json:"complete,omitempty"`
	Builtin  []string `json:"builtin,omitempty"`
	// Asked are names without a match (lsmod | grep NAME).
	Asked []string `json:"asked,omitempty"`
	// AtBoot are modules in modules-load.d files; nil: not read.
	AtBoot []string `json:"atBoot,omitempty"`
	Ref    string   `json:"ref,omitempty"`
}

// Link is one network interface.
type Link struct {
	Name  string `json:"name"`
	State string `json:"state,omitempty"` // UP, DOWN, UNKNOWN
	// Flags as printed by ip, for example NO-CARRIER.
	Flags     []string `json:"flags,omitempty"`
	Addresses []string `json:"addresses,omitempty"`
	Kind      string   `json:"kind,omitempty"` // vxlan, geneve, bridge, wireguard; empty: a physical interface, or unknown
	MTU       int      `json:"mtu,omitempty"`  // bytes
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
	// SwapTotal of 0 means that swap is off; nil: not seen.
	SwapTotal *uint64 `json:"swapTotal,omitempty"`
	SwapUsed  uint64  `json:"swapUsed,omitempty"`
	// Slab is the slab memory of the kernel, and SlabKept its unreclaimable part.
	Slab     uint64 `json:"slab,omitempty"`
	SlabKept uint64 `json:"slabKept,omitempty"`
	// LargestFree is the largest free contiguous block in the zones for ordinary allocations; 0: not read.
	LargestFree uint64 `json:"largestFree,omitempty"`
	Ref         string `json:"ref,omitempty"`
}

// Tasks counts processes and threads with their limit.
type Tasks struct {
	Current int    `json:"current,omitempty"`
	Max     int    `json:"max,omitempty"`
	Ref     string `json:"ref,omitempty"`
}

// Runtime is the state of the container runtime over the CRI.
type Runtime struct {
	Endpoint string `json:"endpoint,omitempty"`
	Name     string `json:"name,omitempty"`
	Version  string `json:"version,omitempty"`
	// Answer is "ok", "hung", "refused" or "error", or "interrupted" if the user stopped the command; empty: not asked.
	Answer string `json:"answer,omitempty"`
	// Unanswered is the request that the user interrupted, even if a later one was answered.
	Unanswered   string        `json:"unanswered,omitempty"`
	Latency      time.Duration `json:"latency,omitempty"`
	RuntimeReady *bool         `json:"runtimeReady,omitempty"`
	NetworkReady *bool         `json:"networkReady,omitempty"`
	Message      string        `json:"message,omitempty"`
	// Containers and Sandboxes are from crictl ps and crictl pods, or docker ps.
	Containers []Container `json:"containers,omitempty"`
	Sandboxes  []Sandbox   `json:"sandboxes,omitempty"`
	// Shims counts the shim processes; nil: unknown.
	Shims *int `json:"shims,omitempty"`
	// SandboxImage is the image of the pod sandboxes, and whether the runtime has it.
	SandboxImage        string `json:"sandboxImage,omitempty"`
	SandboxImagePresent *bool  `json:"sandboxImagePresent,omitempty"`
	// SandboxImagePinned reports whether image garbage collection keeps it; nil: unknown.
	SandboxImagePinned *bool `json:"sandboxImagePinned,omitempty"`
	// Stores are the sizes of images by snapshotter folder.
	Stores []ImageStore `json:"stores,omitempty"`
	// ImageStore is "ok" or the error of the runtime for an image request.
	ImageStore string `json:"imageStore,omitempty"`
	Ref        string `json:"ref,omitempty"`
}

// ImageStore is the size of images in the folder of one snapshotter.
type ImageStore struct {
	Folder string `json:"folder"`
	Bytes  uint64 `json:"bytes"`
	Inodes uint64 `json:"inodes,omitempty"`
}

// Container is one container in the list of the runtime.
type Container struct {
	Name    string `json:"name"`
	Pod     string `json:"pod,omitempty"`
	Image   string `json:"image,omitempty"`
	State   string `json:"state"` // Created, Running, Exited, Unknown
	Attempt int    `json:"attempt,omitempty"`
	Ref     string `json:"ref,omitempty"`
}

// Sandbox is one pod sandbox in the list of the runtime.
type Sandbox struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
	State     string `json:"state"` // Ready, NotReady
	Attempt   int    `json:"attempt,omitempty"`
	Ref       string `json:"ref,omitempty"`
}

// CNI has the network configuration and plugins of the node. A nil list was not read; an empty one was.
type CNI struct {
	ConfigDir string   `json:"configDir,omitempty"`
	Configs   []string `json:"configs"`
	BinDir    string   `json:"binDir,omitempty"`
	Binaries  []string `json:"binaries"`
	// Hollow are the plugins with a file of 0 bytes.
	Hollow []string `json:"hollow,omitempty"`
	// Network is the configuration that the runtime uses, the first by name; nil: not read, or none.
	Network *Network `json:"network,omitempty"`
	Ref     string   `json:"ref,omitempty"`
	// BinRef is the line of the plugins, if it differs from Ref.
	BinRef string `json:"binRef,omitempty"`
}

// PluginsRef returns the line or probe of the plugins.
func (c *CNI) PluginsRef() string { return cmp.Or(c.BinRef, c.Ref) }

// Network is one CNI configuration.
type Network struct {
	File    string   `json:"file"`
	Name    string   `json:"name,omitempty"`
	Version string   `json:"cniVersion,omitempty"`
	Plugins []Plugin `json:"plugins,omitempty"`
	// Ranges are the pod CIDRs of this node, if files contain them, and Bridge their device.
	Ranges []string `json:"ranges,omitempty"`
	Bridge string   `json:"bridge,omitempty"`
	Error  string   `json:"error,omitempty"` // why it is invalid
}

// Plugin is one plugin binary in a CNI configuration.
type Plugin struct {
	Type string `json:"type"`
	// State is "ok", "missing", "not-executable", "empty" (a file of 0 bytes), or "" if the folder could not be read.
	State   string `json:"state,omitempty"`
	Version string `json:"version,omitempty"` // built-in version, if available
}

// Clock compares the clock of the node with a reference.
type Clock struct {
	Offset       time.Duration `json:"offset,omitempty"` // node minus reference
	Synchronized *bool         `json:"synchronized,omitempty"`
	// Shown is the time on the node's clock. Compare it only with other nodes at the same moment.
	Shown time.Time `json:"shown,omitzero"`
	// Hardware is the time of the hardware clock at the same moment, if it uses UTC.
	Hardware time.Time `json:"hardware,omitzero"`
	Service  string    `json:"service,omitempty"` // of the time service: active, inactive, n/a
	Source   string    `json:"source,omitempty"`  // kernel clock source: tsc, kvm-clock, hyperv_clocksource_tsc_page
	// Step is the size of a clock step since the previous snapshot, Watched ago. Slewing is far slower. Zero Watched:
	// there was no previous snapshot.
	Step    time.Duration `json:"step,omitempty"`
	Watched time.Duration `json:"watched,omitempty"`
	Ref     string        `json:"ref,omitempty"`
}

// Process is one process of a ps listing.
type Process struct {
	PID     int    `json:"pid,omitempty"`
	State   string `json:"state,omitempty"` // as printed by ps: S, D, Z+, ...; empty: not printed
	Command string `json:"command"`         // with arguments, bounded
	Ref     string `json:"ref,omitempty"`
}

// Listeners are listening sockets.
type Listeners struct {
	Sockets []Socket `json:"sockets,omitempty"`
	// Complete: the list of listening TCP sockets is complete.
	Complete bool `json:"complete,omitempty"`
	// Asked are ports without a match.
	Asked []int  `json:"asked,omitempty"`
	Ref   string `json:"ref,omitempty"`
}

// Socket is one listening socket.
type Socket struct {
	Address string `json:"address,omitempty"`
	Port    int    `json:"port"`
	Process string `json:"process,omitempty"` // name of the program, if shown
	Ref     string `json:"ref,omitempty"`
}

// Lookup is one DNS query on the node.
type Lookup struct {
	Name   string `json:"name,omitempty"`
	Server string `json:"server,omitempty"` // the resolver, if shown
	// Answer is "ok", "no such host", "timeout", "refused" or "error".
	Answer    string   `json:"answer"`
	Addresses []string `json:"addresses,omitempty"`
	Ref       string   `json:"ref,omitempty"`
}

// Connection is one connection attempt from the node.
type Connection struct {
	Tool   string `json:"tool,omitempty"` // curl, ping, nc, telnet
	Target string `json:"target"`         // host, host:port or URL as typed
	Peer   string `json:"peer,omitempty"` // role of the target, if known: api-server, kubelet, metadata
	// Answer is "ok", "refused", "timeout", "unreachable", "reset", "tls", "dns" or "error".
	Answer  string        `json:"answer"`
	Status  int           `json:"status,omitempty"` // HTTP status; 0: none
	Loss    *int          `json:"loss,omitempty"`   // packet loss of ping in percent; nil: not measured
	Message string        `json:"message,omitempty"`
	Ref     string        `json:"ref,omitempty"`
	Latency time.Duration `json:"latency,omitempty"`
}

// Machine has hardware, firmware and operating system of the node.
type Machine struct {
	Hostname string `json:"hostname,omitempty"`
	Kernel   string `json:"kernel,omitempty"`
	System   string `json:"system,omitempty"` // from os-release
	Vendor   string `json:"vendor,omitempty"` // from the firmware tables
	Product  string `json:"product,omitempty"`
	BootID   string `json:"bootId,omitempty"`
	// MachineID and SystemUUID are values that the kubelet also reports, if readable.
	MachineID  string    `json:"machineId,omitempty"`
	SystemUUID string    `json:"systemUuid,omitempty"`
	Booted     time.Time `json:"booted,omitzero"`
}

// Kubelet is the answer of the kubelet on the node.
type Kubelet struct {
	// Healthz is the body of /healthz on the local port, "ok" if healthy. It shows that the process runs, not that it
	// works. Error is why there is no answer.
	Healthz string `json:"healthz,omitempty"`
	Error   string `json:"error,omitempty"`
	// Series are unmodified lines of /metrics.
	Series []string `json:"series,omitempty"`
	// Settings are selected fields of its configuration file and flags.
	Settings map[string]string `json:"settings,omitempty"`
	Ref      string            `json:"ref,omitempty"`
}

// Pressure is the percentage of time in the last 10, 60 and 300 seconds in which some or all tasks stalled on a
// resource.
type Pressure struct {
	Resource string  `json:"resource"` // cpu, memory, io
	Kind     string  `json:"kind"`     // some, full
	Avg10    float64 `json:"avg10"`
	Avg60    float64 `json:"avg60"`
	Avg300   float64 `json:"avg300"`
}

// Counter is a resource that is exhausted when Used reaches Max.
type Counter struct {
	Name string `json:"name"` // conntrack, file-handles, inotify-instances, inotify-watches, neighbours, mounts, pids CGROUP, open-files PROGRAM
	Used uint64 `json:"used"`
	Max  uint64 `json:"max"`
	Note string `json:"note,omitempty"` // the largest user, if counted
	Ref  string `json:"ref,omitempty"`
}

// Loss counts network traffic of the node and its losses: since boot, and in a window that ends with the report. For
// tcp these are segments and retransmissions; for an interface packets, and dropped or broken ones.
type Loss struct {
	Name       string        `json:"name"` // tcp, or an interface
	Sent       uint64        `json:"sent"`
	Lost       uint64        `json:"lost"`
	Window     time.Duration `json:"window,omitempty"`
	WindowSent uint64        `json:"windowSent"`
	WindowLost uint64        `json:"windowLost"`
	// Answered is the number of answers of the API server within the window; 0: none, or no requests were sent.
	Answered int    `json:"answered,omitempty"`
	Ref      string `json:"ref,omitempty"`
}

// Need is a kernel module or setting that the network or runtime configuration requires.
type Need struct {
	Kind string `json:"kind"` // module, sysctl
	Name string `json:"name"`
	By   string `json:"by"`             // the component that requires it
	Want string `json:"want,omitempty"` // of a setting
	Have string `json:"have,omitempty"`
	// State is "ok"; "loadable" for an available module that is not loaded; "missing" for a module that this kernel does
	// not have; "wrong" for another value; or "unknown".
	State string `json:"state"`
	// AtBoot is the file that sets it at boot; empty if unknown or built in.
	AtBoot string `json:"atBoot,omitempty"` // the file, or "none"
	Ref    string `json:"ref,omitempty"`
}

// Cloud is the instance metadata from the cloud.
type Cloud struct {
	Provider string       `json:"provider"` // azure, aws, gcp
	Instance string       `json:"instance,omitempty"`
	Size     string       `json:"size,omitempty"`
	Zone     string       `json:"zone,omitempty"`
	Events   []CloudEvent `json:"events,omitempty"`
	Ref      string       `json:"ref,omitempty"`
}

// CloudEvent is one scheduled event of the machine.
type CloudEvent struct {
	Kind   string    `json:"kind"` // Freeze, Reboot, Redeploy, Preempt, Terminate, or another word of the cloud
	Status string    `json:"status,omitempty"`
	Not    time.Time `json:"notBefore,omitzero"`
	Text   string    `json:"text,omitempty"`
}

// Hung is a request without an answer before its timeout.
type Hung struct {
	What  string        `json:"what"` // "file system", "service manager", "probe"
	Name  string        `json:"name"`
	Type  string        `json:"type,omitempty"` // of the file system
	After time.Duration `json:"after"`
}

// Message is a log line that matches a signature, with the number of such lines.
type Message struct {
	Signature string    `json:"signature"`
	Source    string    `json:"source"`        // journal of kubelet.service, kernel log, a file
	Pod       string    `json:"pod,omitempty"` // namespace/name, for the log of a container
	Line      int       `json:"line,omitempty"`
	Text      string    `json:"text"`
	LastText  string    `json:"lastText,omitempty"`
	Count     int       `json:"count"`
	First     time.Time `json:"first,omitzero"`
	Last      time.Time `json:"last,omitzero"`
	Context   []string  `json:"context,omitempty"`
}

// Log is a searched log, with or without matches.
type Log struct {
	Source string    `json:"source"` // journal, kernel log, a file
	Since  time.Time `json:"since"`  // older lines were skipped
}

// Gap is a failed probe.
type Gap struct {
	What string `json:"what"`
	Why  string `json:"why"`
	How  string `json:"how,omitempty"`
}
