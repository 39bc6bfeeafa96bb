// Package upgradegate connects the publisher of upgrade verdicts with a cluster: its objects, the judgements of the engine, metrics and the
// leader election.
package upgradegate
