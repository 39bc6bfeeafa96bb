// Package rules is the list of what nodetriage concludes from facts: one rule a file, each a value that
// reads a Snapshot and claims causes and symptoms. rules.go is the list.
package rules
