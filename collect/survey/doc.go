// Package survey reads a live cluster into a collect.Builder: the objects of the API, the kubelets behind them, and what their
// cloud says of the machines. It never judges; whatever it cannot read becomes a gap.
package survey

// maxText bounds one text that an API server, a kubelet or a cloud gives, in bytes.
const maxText = 1000
