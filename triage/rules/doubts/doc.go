// Package doubts has the reasons to lower the certainty of a message, one per file: the evidence does not show whether it still
// holds, or ever did.
package doubts
