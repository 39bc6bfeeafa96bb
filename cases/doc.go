// Package cases reads recorded evidence with its confirmed cause, and holds a report against it. The format is
// described in docs/knowledge.md.
package cases
