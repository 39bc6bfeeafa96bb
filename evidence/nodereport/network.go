package nodereport

// PacketFilter has the packet filter rules in the network namespace of the node. A nil list was not read.
type PacketFilter struct {
	Backends []Backend `json:"backends"`
	Ref      string    `json:"ref,omitempty"`
}

// Backend is one kernel interface for packet filter rules.
type Backend struct {
	Name string `json:"name"` // legacy, nft, legacy-ipv6, ipvs
	// Rules counts all rules; for ipvs, the services.
	Rules  int    `json:"rules"`
	Chains int    `json:"chains,omitempty"`
	Bytes  uint64 `json:"bytes,omitempty"` // of the tables in the kernel
	// Policies are those of the base chains: "filter FORWARD" -> "DROP".
	Policies map[string]string `json:"policies,omitempty"`
	// Drops counts the DROP and REJECT rules in built-in chains: "filter INPUT" -> 1.
	Drops map[string]int `json:"drops,omitempty"`
	// Owners are the programs that own chains or tables, by name, with the number of their rules: kube-proxy, kubelet,
	// calico, cilium, flannel, docker, firewalld, ufw.
	Owners map[string]int `json:"owners,omitempty"`
	// Forward are the targets of FORWARD, in order.
	Forward []string `json:"forward,omitempty"`
	// Cut: there were more rules than the limit.
	Cut bool `json:"cut,omitempty"`
}

// Endpoint is a socket of the node that must accept connections.
type Endpoint struct {
	Path string `json:"path"`
	Kind string `json:"kind"` // csi, device-plugin, plugin-registration, kubelet, network, runtime
	// Answer is "ok", "refused", "hung" or "error". It only means that a connection is accepted.
	Answer string `json:"answer"`
	Ref    string `json:"ref,omitempty"`
}

// StaticPod is a file in the static pod folder.
type StaticPod struct {
	File  string `json:"file"`
	Name  string `json:"name,omitempty"`
	Error string `json:"error,omitempty"` // why it is not a pod
	Ref   string `json:"ref,omitempty"`
}

// PodResolver is the resolv.conf that the kubelet gives to pods with dnsPolicy Default.
type PodResolver struct {
	File    string   `json:"file"`
	Servers []string `json:"servers,omitempty"`
	Ref     string   `json:"ref,omitempty"`
}
