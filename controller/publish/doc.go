// Package publish writes the judgements of the engine to the cluster: a NodeDiagnosis for each node that is not clear, and an Event at
// each change. It writes nothing else.
package publish
