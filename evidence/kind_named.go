package evidence

import (
	"strings"
	"sync"
)

// shortNames are kubectl short names of supported kinds (kubectl api-resources, v1.36).
var shortNames = map[string]string{
	"no": "Node", "po": "Pod", "ev": "Event", "deploy": "Deployment", "rs": "ReplicaSet", "sts": "StatefulSet", "ds": "DaemonSet",
	"rc": "ReplicationController", "pdb": "PodDisruptionBudget", "pvc": "PersistentVolumeClaim", "pv": "PersistentVolume",
	"ns": "Namespace", "csr": "CertificateSigningRequest", "pc": "PriorityClass", "sc": "StorageClass",
}

// unreadKinds are common kinds in commands and events that are not evidence.
var unreadKinds = []string{
	"Service", "ConfigMap", "Ingress", "CronJob", "Machine", "HorizontalPodAutoscaler",
}

// KindNamed returns the kind for a kubectl resource name, in any case and with or without its API group: "DaemonSet"
// for "ds", "daemonset" and "daemonsets.apps". It returns "" for an unknown name.
func KindNamed(word string) string {
	word, _, _ = strings.Cut(strings.ToLower(word), ".")
	return namedKinds()[word]
}

// ShortName returns the name that kubectl users type for a kind: "ds" for "DaemonSet". It is the kind in lower case if kubectl
// has no short name.
func ShortName(kind string) string {
	for short, of := range shortNames {
		if of == kind {
			return short
		}
	}
	return strings.ToLower(kind)
}

var namedKinds = sync.OnceValue(func() map[string]string {
	out := map[string]string{"svc": "Service", "hpa": "HorizontalPodAutoscaler", "endpoints": "Endpoints", "ingresses": "Ingress"}
	for _, row := range Kinds() {
		for _, o := range row.Objects() {
			out[strings.ToLower(o.Kind)] = o.Kind
			out[o.Names[0]] = o.Kind
		}
	}
	for _, kind := range unreadKinds {
		out[strings.ToLower(kind)] = kind
		out[strings.ToLower(kind)+"s"] = kind
	}
	for short, kind := range shortNames {
		out[short] = kind
	}
	return out
})
