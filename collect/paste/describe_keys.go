package paste

// topKeys are the keys of described objects in all versions of kubectl: those that are read, and those that distinguish kinds.
// True: the value is on the same line, so a deeper key is not part of it.
var topKeys = map[string]bool{
	"Name": true, "Namespace": true, "Roles": true, "Role": true, "CreationTimestamp": true, "Phase": true,
	"Unschedulable": true, "PodCIDR": true, "ProviderID": true, "ExternalID": true, "Priority": true,
	"Priority Class Name": true, "PriorityClassName": true, "Runtime Class Name": true, "Service Account": true,
	"Node": true, "Start Time": true, "Status": false, "Reason": true, "IP": true, "Controlled By": true,
	"Controllers": true, "Created By": true, "NominatedNodeName": true, "QoS Class": true, "QoS Tier": true, "SeccompProfile": true,
	"Termination Grace Period": true, "StorageClass": true, "Volume": true, "Finalizers": true, "Capacity": false,
	"Access Modes": true, "VolumeMode": true, "Selector": true, "Min available": true, "Max unavailable": true,
	"Replicas": true, "Pods Status": true, "Node-Selector": true, "Image(s)": true, "Security Policy": true,
	"Labels": false, "Annotations": false, "Taints": false, "Lease": false, "Conditions": false, "Addresses": false,
	"Allocatable": false, "System Info": false, "PodCIDRs": false, "Non-terminated Pods": false,
	"Allocated resources": false, "Events": false, "Message": false, "IPs": false, "Init Containers": false,
	"Containers": false, "Ephemeral Containers": false, "Readiness Gates": false, "Volumes": false,
	"Node-Selectors": false, "Tolerations": false, "Topology Spread Constraints": false, "Used By": false,
	"Mounted By": false, "DataSource": false, "Resources": false, "Resource Slices": false,
	"Kernel Version": true, "Kubelet Version": true, "OS Image": true, "Container Runtime Version": true,
	"Kube-Proxy Version": true, "Operating System": true, "Architecture": true, "Machine ID": true,
	"System UUID": true, "Boot ID": true,
	// PersistentVolumes
	"Claim": true, "Reclaim Policy": true, "Node Affinity": false, "Source": false,
	// workloads
	"Pod Template": false, "StrategyType": true, "MinReadySeconds": true, "RollingUpdateStrategy": true, "OldReplicaSets": true,
	"NewReplicaSet": true, "Update Strategy": true, "Partition": true, "Parallelism": true, "Completions": true,
	"Pods Statuses": true, "Desired Number of Nodes Scheduled": true, "Current Number of Nodes Scheduled": true,
	"Number of Nodes Scheduled with Up-to-date Pods": true, "Number of Nodes Scheduled with Available Pods": true,
	"Number of Nodes Misscheduled": true, "Volume Claims": false,
	// endpoints and custom resources
	"Subsets": false, "API Version": true, "Kind": true, "Metadata": false, "Spec": false,
}

// containerKeys start a fragment of a container.
var containerKeys = map[string]bool{"State": true, "Last State": true, "Container ID": true, "Restart Count": true, "Exit Code": true}

func isContainerState(s string) bool { return s == "Running" || s == "Waiting" || s == "Terminated" }
