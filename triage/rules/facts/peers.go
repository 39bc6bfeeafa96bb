package facts

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/clouds"
)

// Peer is the owner of an address, and the cause if it cannot be reached.
type Peer struct{ Name, Cause string }

// PeerOf returns the peer of an address or URL.
func PeerOf(target string) Peer {
	t := strings.ToLower(target)
	host := t
	if _, rest, ok := strings.Cut(t, "://"); ok {
		host = rest
	}
	host, path, _ := strings.Cut(host, "/")
	local := strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "127.")
	port := ""
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		port = host[i+1:]
	}
	switch {
	case local && (port == "10248" || port == "10250"):
		return Peer{"the kubelet", "kubelet-stopped"}
	case port == "6443", port == "8443" && !local, ApiName(host), !local && (path == "livez" || path == "readyz"):
		return Peer{"the API server", "apiserver-unreachable"}
	case port == "2379":
		return Peer{"etcd", "etcd-unavailable"}
	case strings.HasPrefix(host, "169.254.169.254"), strings.HasPrefix(host, "metadata.google.internal"):
		return Peer{"the metadata service", "cloud-metadata-failure"}
	case registryHost(host), strings.Contains(t, "/v2/"):
		return Peer{"the registry", "registry-unreachable"}
	}
	return Peer{}
}

func registryHost(host string) bool {
	for _, part := range []string{"registry", "mcr.microsoft.com", "quay.io", "gcr.io", "ghcr.io", "docker.io", ".pkg.dev", ".azurecr.io", ".dkr.ecr."} {
		if strings.Contains(host, part) {
			return true
		}
	}
	return false
}

// ApiName reports whether a host name looks like an API server's.
func ApiName(name string) bool {
	named := slices.ContainsFunc([]string{"apiserver", "kube-api", "k8s-api", "api.k8s"}, func(part string) bool { return strings.Contains(name, part) })
	return named || clouds.ManagedHost(name)
}

// SilentServer returns the failed connection of a node to the API server that got no answer, or nil.
func SilentServer(r *nodereport.Report) *nodereport.Connection {
	for i := range r.Connections {
		c := &r.Connections[i]
		server := c.Peer == "api-server" || c.Peer == "" && PeerOf(c.Target).Cause == "apiserver-unreachable"
		if server && (c.Answer == "timeout" || c.Answer == "unreachable") {
			return c
		}
	}
	return nil
}
