// Package kubelet has the rules on what kubelets report through the API server: health, metrics, refusals.
package kubelet
