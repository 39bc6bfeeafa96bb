// Package kubelet has the rules on what kubelets say through the API server: health, metrics, refusals.
package kubelet
