package mechanics

// TestedPods is how many pods of a node the project tests with ("Considerations for large clusters" in Kubernetes' documentation), and the kubelet's maxPods where
// none is set (kubernetes pkg/kubelet/apis/config/v1beta1/defaults.go, 1.36.3); clouds allow more. Each costs kubelet and runtime work beside what it asks for.
const TestedPods = 110
