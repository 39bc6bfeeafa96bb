// Package kubelets reads what a kubelet answers: its configuration (/configz), its metrics and its statistics. The answers come
// through the API server's node proxy or out of files; what they mean is not judged here.
package kubelets

// maxText bounds one text of an answer, in bytes.
const maxText = 1000
