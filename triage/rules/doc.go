// Package rules is the list of what nodetriage concludes from facts. The rules are in folders by what they read, one rule a
// file, each a value that reads a Snapshot and claims causes and symptoms; what several of them ask is in facts.
package rules
