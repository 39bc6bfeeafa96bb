// Package diff compares two looks at a cluster: which causes are new, resolved or remain, and what changed on the nodes in
// between. "What changed?" is the first question about a node that worked yesterday.
package diff
