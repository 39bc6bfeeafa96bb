// Package upgrade plans the rolling upgrade of a pool's nodes. It simulates, in virtual time, how each provider adds nodes,
// drains the old ones and replaces them. It reports where that gets stuck, how long it takes and the effect on pods.
//
// Unknown values are not guessed: a fast run takes the short end of every interval, a slow run the long end. The plan
// distinguishes what happens in both from what happens in one of them. The same evidence gives the same plan.
package upgrade
