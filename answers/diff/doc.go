// Package diff tells two looks at a cluster apart: which causes came, went and stayed, and what changed on the nodes
// meanwhile. "What changed?" is the first question about a node that worked yesterday.
package diff
