// Package facts answers questions that several rules ask of the evidence: whether a node reports, what a message says and what
// has ended it, what a pod waits for, what the cloud did. It claims nothing.
package facts
