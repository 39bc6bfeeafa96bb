// Package rules lists everything that nodetriage concludes from facts. Its folders group the rules by what they read, one rule per
// file. A rule reads a Snapshot and claims causes and symptoms; package facts has what several rules need.
package rules
