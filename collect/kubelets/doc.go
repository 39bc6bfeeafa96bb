// Package kubelets reads kubelet responses: the configuration (/configz), metrics and statistics. They come through the node proxy
// of the API server or from files. This package does not judge them.
package kubelets

// maxText bounds one text of a response, in bytes.
const maxText = 1000
