// Package evidence holds everything that is known about a cluster at one instant: the Snapshot.
//
// A Snapshot is built once by a Builder, from any source, and never changes afterwards. Rules, simulator
// and planner see nothing else, so that a live cluster, its bundle and a test give the same answer. What
// could not be read is a Gap; what was read in part says so through Coverage. The package reads no clock,
// no file and no network.
package evidence
