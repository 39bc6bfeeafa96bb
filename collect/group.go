package collect

import "strings"

// groupsOf are the API groups in which a kind is the one that is read here, now or in former versions; other
// groups give the same names to other things. "" is the core group.
var groupsOf = map[string][]string{
	"Node": {""}, "Pod": {""}, "Event": {"", "events.k8s.io"}, "Namespace": {""}, "ReplicationController": {""},
	"PersistentVolumeClaim": {""}, "PersistentVolume": {""},
	"Lease":                            {"coordination.k8s.io"},
	"PodDisruptionBudget":              {"policy"},
	"Deployment":                       {"apps", "extensions"},
	"ReplicaSet":                       {"apps", "extensions"},
	"StatefulSet":                      {"apps"},
	"DaemonSet":                        {"apps", "extensions"},
	"Job":                              {"batch"},
	"VolumeAttachment":                 {"storage.k8s.io"},
	"CSINode":                          {"storage.k8s.io"},
	"StorageClass":                     {"storage.k8s.io"},
	"CSIDriver":                        {"storage.k8s.io"},
	"CSIStorageCapacity":               {"storage.k8s.io"},
	"PriorityClass":                    {"scheduling.k8s.io"},
	"CertificateSigningRequest":        {"certificates.k8s.io"},
	"EndpointSlice":                    {"discovery.k8s.io"},
	"NodeMetrics":                      {"metrics.k8s.io"},
	"ValidatingWebhookConfiguration":   {"admissionregistration.k8s.io"},
	"MutatingWebhookConfiguration":     {"admissionregistration.k8s.io"},
	"ValidatingAdmissionPolicy":        {"admissionregistration.k8s.io"},
	"ValidatingAdmissionPolicyBinding": {"admissionregistration.k8s.io"},
	"MutatingAdmissionPolicy":          {"admissionregistration.k8s.io"},
	"MutatingAdmissionPolicyBinding":   {"admissionregistration.k8s.io"},
}

// isRead tells whether objects of a kind are read; an empty version is taken on trust.
func isRead(kind, apiVersion string) bool {
	groups := groupsOf[kind]
	if apiVersion == "" {
		return groups != nil
	}
	group, _, named := strings.Cut(apiVersion, "/")
	if !named {
		group = ""
	}
	for _, g := range groups {
		if g == group {
			return true
		}
	}
	return false
}
