package mechanics

// TestedPods is the number of pods per node that Kubernetes tests ("Considerations for large clusters" in Kubernetes'
// documentation). It is also the default maxPods of the kubelet (kubernetes
// pkg/kubelet/apis/config/v1beta1/defaults.go, 1.36.3); clouds allow more. Each pod costs kubelet and runtime overhead
// in addition to its requests.
const TestedPods = 110
