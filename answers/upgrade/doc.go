// Package upgrade plans the rolling replacement of a pool's nodes: it simulates, in virtual time, how each provider adds
// nodes, drains the old ones and replaces them, and says where that gets stuck, how long it takes and what it costs pods.
//
// What cannot be known beforehand is not guessed: a fast run takes the short end of every interval, a slow run the long end,
// and the plan says what happens in both and what in one of them. The same evidence gives the same plan.
package upgrade
