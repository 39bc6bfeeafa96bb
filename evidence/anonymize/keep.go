package anonymize

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/components"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// systemSpace are namespaces of Kubernetes, of distributions and of what people install to run a cluster. Their pods and
// workloads keep their names. It is no question to package components: these are namespaces whose names say nothing of their owner.
var systemSpace = lazyregexp.New(`^(?:default|kube-.*|openshift.*|calico-.*|tigera-.*|cilium.*|.*flannel|cattle-.*|fleet-.*|gke-.*|gmp-.*|aks-.*|azure-.*|amazon-.*|aws-.*|rook-ceph|longhorn-system|nvidia.*|gpu-operator|istio-.*|linkerd.*|monitoring|observability|logging|kyverno|gatekeeper-system|ingress-.*|nginx-ingress|traefik|cert-manager|karpenter|keda|velero|argocd|flux-system|metallb-system|local-path-storage|node-feature-discovery|dataprotection-.*|app-routing-system|capi-.*|capz-.*|capa-.*|crossplane-system|external-secrets|external-dns|falco|kubernetes-dashboard|kubevirt|olm|operators|portworx|tekton.*|vault|weave)$`)

func systemNamespace(ns string) bool { return systemSpace.MatchString(ns) }

// component reports whether a workload is one that rules or signatures know by its name.
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

// publicHosts are hosts that are no secret of anybody, by their ends.
var publicHosts = []string{
	"mcr.microsoft.com", "microsoft.com", "registry.k8s.io", "k8s.io", "k8s.gcr.io", "gcr.io", "docker.io", "docker.com", "quay.io", "ghcr.io", "github.com", "githubusercontent.com",
	"amazonlinux.com", "ubuntu.com", "debian.org", "fedoraproject.org", "redhat.com", "redhat.io", "public.ecr.aws", "nvcr.io", "nvidia.com", "google.com", "googleapis.com",
	"aka.ms", "login.microsoftonline.com", "management.azure.com", "data.mcr.microsoft.com", "windows.net", "azure.com", "svc", "cluster.local", "localhost", "localdomain", "local", "kubernetes.io",
	"pool.ntp.org", "rancher.io", "cilium.io", "projectcalico.org", "suse.com", "alpinelinux.org", "pypi.org", "npmjs.org", "golang.org", "example.com", "svc.cluster",
}

// cloudHosts are the ends of hosts whose first word is somebody's own.
var cloudHosts = []string{
	".azurecr.io", ".blob.core.windows.net", ".file.core.windows.net", ".vault.azure.net", ".azmk8s.io", ".azure.com", ".cloudapp.net", ".cloudapp.azure.com", ".amazonaws.com",
	".compute.internal", ".ec2.internal", ".gke.goog", ".internal", ".pkg.dev", ".azurewebsites.net", ".microsoftonline.com",
}

// publicHost reports whether everybody knows the host.
func publicHost(host string) bool {
	for _, end := range cloudHosts {
		if strings.HasSuffix(host, end) && strings.Count(host, ".") > strings.Count(end, ".")+1 {
			return false // somebody's own, in a region
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

// roles are words in the names of machines and workloads that tell what they are for: their stand-ins have them too.
var roles = []string{"bootstrap", "control-plane", "controlplane", "master", "preemptible", "spot", "controller-manager", "apiserver", "scheduler", "etcd", "operator", "webhook", "autoscaler", "worker"}

// role is the word of a name that tells what it is for; empty: none does.
func role(name string) string {
	name = strings.ToLower(name)
	for _, r := range roles {
		if strings.Contains(name, r) {
			return r
		}
	}
	return ""
}
