// Package endings has the checks whether the problem in a message is resolved, one per file: a later message of the same component,
// a state that excludes the problem, a node report that shows the node healthy. The first entry that resolves a message is used, so
// the strongest proofs come first. docs/decisions/0011 and 0016 say why messages end.
package endings
