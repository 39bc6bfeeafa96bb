// Package live keeps the lists of a cluster up to date with watches, as evidence: a survey reads them in place of the
// server's, and a node can be judged by the part that belongs to it.
package live
