// Package signatures contains the messages of kubelets, runtimes, network plugins, kernels, schedulers and clouds about
// failures, as data, and finds them in streams of text.
//
// A Signature is a pattern and the id of the cause or symptom that it detects. The built-in set is in data/; users add their
// own files. A Scanner reads any number of lines with memory that does not grow with the text. The format of the files is
// described in docs/knowledge.md.
package signatures
