// Package cases reads recorded evidence with its confirmed cause, and compares a report with it. The format is described in
// docs/knowledge.md.
package cases
