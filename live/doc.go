// Package live keeps the evidence of a cluster that is watched, object by object, so that the part of one node can be judged as soon
// as something of it changes, at the cost of that node alone.
package live
