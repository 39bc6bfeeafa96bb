package anonymize

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// systemSpace matches namespaces of Kubernetes, of distributions and of common add-ons. Their pods and workloads keep
// their names. This is separate from package components: these namespace names do not identify an owner.
var systemSpace = lazyregexp.New(`^(?:default|kube-.*|openshift.*|calico-.*|tigera-.*|cilium.*|.*flannel|cattle-.*|fleet-.*|gke-.*|gmp-.*|aks-.*|azure-.*|amazon-.*|aws-.*|rook-ceph|longhorn-system|nvidia.*|gpu-operator|istio-.*|linkerd.*|monitoring|observability|logging|kyverno|gatekeeper-system|ingress-.*|nginx-ingress|traefik|cert-manager|karpenter|keda|velero|argocd|flux-system|metallb-system|local-path-storage|node-feature-discovery|dataprotection-.*|app-routing-system|capi-.*|capz-.*|capa-.*|crossplane-system|external-secrets|external-dns|falco|kubernetes-dashboard|kubevirt|olm|operators|portworx|tekton.*|vault|weave)$`)

func systemNamespace(ns string) bool { return systemSpace.MatchString(ns) }

// userNamespace reports whether users choose the names of the objects in the namespace.
func userNamespace(ns string) bool { return ns == "default" || !systemNamespace(ns) }

// component reports whether rules or signatures know a workload by name.
func component(name string) bool {
	switch logline.Named(name) {
	case logline.Other, logline.Unknown, logline.Application:
	default:
		return true
	}
	if components.OfNetwork(name) {
		return true
	}
	for _, p := range []string{"node-exporter", "prometheus-", "fluent-bit", "fluentd", "promtail", "datadog", "metrics-server", "azurefile-", "azure-", "gke-", "aws-", "ebs-", "efs-", "kube-", "nodelocaldns", "node-local", "ama-", "omsagent", "cloud-", "vsphere-", "openstack-", "rook-"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// publicHosts are suffixes of public hosts.
var publicHosts = []string{
	"mcr.microsoft.com", "microsoft.com", "registry.k8s.io", "k8s.io", "k8s.gcr.io", "gcr.io", "docker.io", "docker.com", "quay.io", "ghcr.io", "github.com", "githubusercontent.com",
	"amazonlinux.com", "ubuntu.com", "debian.org", "fedoraproject.org", "redhat.com", "redhat.io", "public.ecr.aws", "nvcr.io", "nvidia.com", "google.com", "googleapis.com",
	"aka.ms", "login.microsoftonline.com", "management.azure.com", "data.mcr.microsoft.com", "windows.net", "azure.com", "svc", "cluster.local", "localhost", "localdomain", "local", "kubernetes.io",
	"pool.ntp.org", "rancher.io", "cilium.io", "projectcalico.org", "suse.com", "alpinelinux.org", "pypi.org", "npmjs.org", "golang.org", "example.com", "svc.cluster",
}

// cloudHosts are suffixes of hosts whose first label is user-chosen.
var cloudHosts = []string{
	".azurecr.io", ".blob.core.windows.net", ".file.core.windows.net", ".vault.azure.net", ".azmk8s.io", ".azure.com", ".cloudapp.net", ".cloudapp.azure.com", ".amazonaws.com",
	".compute.internal", ".ec2.internal", ".gke.goog", ".internal", ".pkg.dev", ".azurewebsites.net", ".microsoftonline.com",
}

// publicHost reports whether the host is public.
func publicHost(host string) bool {
	for _, end := range cloudHosts {
		if strings.HasSuffix(host, end) && strings.Count(host, ".") > strings.Count(end, ".")+1 {
			return false // user-chosen, in a region
		}
	}
	for _, p := range []string{".blob.core.windows.net", ".file.core.windows.net"} {
		if strings.HasSuffix(host, p) {
			return false
		}
	}
	for _, p := range publicHosts {
		if host == p || strings.HasSuffix(host, "."+p) {
			return true
		}
	}
	return !strings.Contains(host, ".")
}

// roles are words in names of machines and workloads that show their role. Aliases keep them.
var roles = []string{"bootstrap", "control-plane", "controlplane", "master", "preemptible", "spot", "controller-manager", "apiserver", "scheduler", "etcd", "operator", "webhook", "autoscaler", "worker"}

// role returns the role word in a name, or "".
func role(name string) string {
	name = strings.ToLower(name)
	for _, r := range roles {
		if strings.Contains(name, r) {
			return r
		}
	}
	return ""
}
