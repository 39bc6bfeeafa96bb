// Package signatures knows the messages that kubelets, runtimes, network plugins, kernels, schedulers and
// clouds print when something breaks, as data, and finds them in streams of text.
//
// A Signature is a pattern and what it says: the id of a cause or of a symptom. The built-in set lies in
// data/; users add their own files. A Scanner reads any number of lines with memory that does not grow
// with the text. The format of the files is described in docs/knowledge.md.
package signatures
