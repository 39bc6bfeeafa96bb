package facts

import (
	"strings"

	"github.com/nodetriage/nodetriage/nodereport"
)

// SaidByCertificate is the cause that an expired certificate is, or "" for those that stop nothing here.
func SaidByCertificate(c nodereport.Certificate) string {
	text := strings.ToLower(c.Path + " " + c.Subject)
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(text, part) {
				return true
			}
		}
		return false
	}
	switch {
	case has("apiserver", "etcd", "controller-manager", "scheduler.conf", "front-proxy", "kube-apiserver"), c.Use == "ca":
		return "control-plane-degraded"
	case c.Use == "kubelet-client", has("kubelet-client", "kubelet.conf", "system:node:"):
		return "kubelet-client-cert-expired"
	}
	return ""
}
