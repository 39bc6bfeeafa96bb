// Package survey reads a live cluster into a collect.Builder: the API objects, the kubelets, and the cloud's state of the
// machines. It never judges. Failed reads become gaps.
package survey

// maxText bounds one text from an API server, a kubelet or a cloud, in bytes.
const maxText = 1000
