// Package collect gathers evidence from every source into one Snapshot: a live cluster, a bundle, a folder,
// kubectl output, pasted text. It only reads. What cannot be read becomes a gap, never the end of the run.
package collect
