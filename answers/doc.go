// Package answers contains the answers to questions about a Snapshot, each in a package with the name of its command: predict,
// why, drain, upgrade, repair, check, verify, nodes, timeline, diff, and lists for the commands that list objects.
//
// An answer is computed only from the Snapshot, without a clock or a network, and prints nothing. Code that plans share is in
// plan (their terms) and clusterview (their queries about a cluster).
package answers
