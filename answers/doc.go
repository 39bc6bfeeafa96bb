// Package answers holds the answers to questions about a Snapshot, each in a package with the name of its command: predict,
// why, drain, upgrade, repair, check, verify, nodes, timeline, diff, and lists for the commands that list things.
//
// An answer is computed from the Snapshot alone, without a clock or a network, and prints nothing. What plans share is in
// plan (their words) and clusterview (what they ask about a cluster).
package answers
