// Package clouds lists the clouds: what their provider IDs, their managed Kubernetes services, and the nodes and API servers of
// these services look like. What a cloud does, and its commands, are in cloud and in knowledge/catalog/providers.yaml.
package clouds

import (
	"slices"
	"strings"
)

// Cloud is one cloud. An empty field means that nothing shows it.
type Cloud struct {
	Name    string   // "azure": the same word in signatures, commands and reports
	Schemes []string // of the provider IDs of its machines
	// Service is its managed Kubernetes service.
	Service string
	// NodeLabel is a label that the service sets on its nodes, and PoolLabel the label with their pool.
	NodeLabel, PoolLabel string
	// Versions are parts of the versions of the service's API servers and kubelets.
	Versions []string
	// Hosts are the ends of the names of the service's API servers.
	Hosts []string
	// Reserved are prefixes of labels that it sets, and that users must not set.
	Reserved []string
	// Programs are its command-line programs.
	Programs []Program
	// Controllers are the prefixes of the names of its cloud controllers, under which they write logs and events.
	Controllers []string
	// Denied are the forms of its errors about a missing permission: regular expressions with the groups who (a name), id, action and
	// on (a resource). An error that says them in two sentences has two forms.
	Denied []string
}

// Program is a command-line program of a cloud.
type Program struct {
	Name string
	// Reads are the subcommands that change nothing, each the last word before the options. One that ends with a hyphen is a beginning.
	Reads []string
}

// clouds is the table. Sources: cloud-provider-azure, cloud-provider-aws, cloud-provider-gcp and the cloud controller managers
// of the others; the reserved labels of AKS: learn.microsoft.com, use labels in an AKS cluster.
var clouds = []Cloud{
	{Name: "azure", Schemes: []string{"azure"}, Service: "aks", NodeLabel: "kubernetes.azure.com/cluster", PoolLabel: "kubernetes.azure.com/agentpool",
		Hosts: []string{".azmk8s.io"}, Reserved: []string{"kubernetes.azure.com/", "karpenter.azure.com/"},
		Programs: []Program{{"az", []string{"show", "list", "list-", "get-", "show-"}}}, Controllers: []string{"azure-cloud"},
		Denied: []string{
			`(?i)\bclient ["'‘](?P<who>[^"'’]{1,120})["'’] with object id ["'‘](?P<id>[\w-]+)["'’]`,
			`(?i)does not have (?:authorization|permission) to perform action\(?s?\)? ["'‘]?(?P<action>[\w.*/]+)["'’]?(?: (?:over scope|on (?:the linked )?scope(?:\(s\))?) ["'‘](?P<on>/[^"'’]+)["'’])?`,
		}},
	{Name: "aws", Schemes: []string{"aws"}, Service: "eks", NodeLabel: "eks.amazonaws.com/nodegroup", PoolLabel: "eks.amazonaws.com/nodegroup",
		Versions: []string{"-eks-"}, Hosts: []string{".eks.amazonaws.com"}, Reserved: []string{"eks.amazonaws.com/", "alpha.eksctl.io/", "karpenter.k8s.aws/"},
		Programs: []Program{{"aws", []string{"describe-", "get-", "list-", "simulate-"}}, {"eksctl", []string{"get"}}}, Controllers: []string{"aws-cloud"},
		Denied: []string{`\b(?:User: )?(?P<who>arn:aws[\w-]*:(?:iam|sts)::\d+:(?:user|assumed-role|role|root)[\w+=,.@/-]*) is not authorized to perform: (?P<action>[\w:*-]+)(?: on resource: (?P<on>arn:[^\s"]+))?`}},
	{Name: "gcp", Schemes: []string{"gce"}, Service: "gke", NodeLabel: "cloud.google.com/gke-nodepool", PoolLabel: "cloud.google.com/gke-nodepool",
		Versions: []string{"-gke."}, Hosts: []string{".gke.goog"}, Reserved: []string{"cloud.google.com/"},
		Programs: []Program{{"gcloud", []string{"list"}}}, Controllers: []string{"gcp-cloud"}},
	{Name: "alibaba", Schemes: []string{"alicloud"}},
	{Name: "digitalocean", Schemes: []string{"digitalocean"}},
	{Name: "hetzner", Schemes: []string{"hcloud", "hrobot"}, Controllers: []string{"hcloud"}},
	{Name: "openstack", Schemes: []string{"openstack"}, Programs: []Program{{"openstack", []string{"show", "list"}}}, Controllers: []string{"openstack-cloud"}},
	{Name: "oracle", Schemes: []string{"oci"}},
	{Name: "vsphere", Schemes: []string{"vsphere"}},
}

// local are schemes of provider IDs of clusters without a cloud.
var local = []string{"kind", "k3s", "k0s", "k3d", "rke2", "minikube", "microk8s", "metal3", "baremetalhost", "docker"}

// first returns the first cloud that fits; the zero value if none fits.
func first(fits func(c *Cloud) bool) Cloud {
	for i := range clouds {
		if fits(&clouds[i]) {
			return clouds[i]
		}
	}
	return Cloud{}
}

// All returns all clouds.
func All() []Cloud { return clouds }

// Named returns the cloud with that name.
func Named(name string) Cloud { return first(func(c *Cloud) bool { return c.Name == name }) }

// OfMachine returns the cloud of a machine by its provider ID.
func OfMachine(providerID string) Cloud {
	scheme, _, found := strings.Cut(providerID, "://")
	if !found {
		return Cloud{}
	}
	return first(func(c *Cloud) bool { return slices.Contains(c.Schemes, scheme) })
}

// OfLabels returns the cloud whose managed service set the labels of a node.
func OfLabels(labels map[string]string) Cloud {
	return first(func(c *Cloud) bool { return c.NodeLabel != "" && labels[c.NodeLabel] != "" })
}

// OfPoolLabel returns the cloud whose managed service sets the pool of a node in that label.
func OfPoolLabel(label string) Cloud {
	return first(func(c *Cloud) bool { return label != "" && c.PoolLabel == label })
}

// OfVersion returns the cloud whose managed service the version of an API server or a kubelet names.
func OfVersion(version string) Cloud {
	return first(func(c *Cloud) bool {
		return slices.ContainsFunc(c.Versions, func(part string) bool { return strings.Contains(version, part) })
	})
}

// InCloud reports whether a provider ID is of a cloud, listed or not.
func InCloud(providerID string) bool {
	scheme, _, found := strings.Cut(providerID, "://")
	return found && !slices.Contains(local, scheme)
}

// Reserved reports whether a cloud reserves the label.
func Reserved(label string) bool {
	return first(func(c *Cloud) bool {
		return slices.ContainsFunc(c.Reserved, func(prefix string) bool { return strings.HasPrefix(label, prefix) })
	}).Name != ""
}

// PoolLabels returns the labels with the pools of managed services.
func PoolLabels() []string {
	var out []string
	for _, c := range clouds {
		if c.PoolLabel != "" {
			out = append(out, c.PoolLabel)
		}
	}
	return out
}

// ManagedHost reports whether the text has the name of the API server of a managed service.
func ManagedHost(text string) bool {
	return first(func(c *Cloud) bool {
		return slices.ContainsFunc(c.Hosts, func(end string) bool { return strings.Contains(text, end) })
	}).Name != ""
}
