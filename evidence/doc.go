// Package evidence has all data about a cluster at one instant: the Snapshot.
//
// A Builder builds a Snapshot once, from any source, and it never changes. Rules, simulator and planner read only the
// Snapshot, so that a live cluster, its bundle and a test give the same result. Data that could not be read is a Gap;
// Coverage marks partial data. The package reads no clock, no file and no network.
package evidence
