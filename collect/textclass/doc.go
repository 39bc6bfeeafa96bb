// Package textclass classifies text before signatures are matched: it reports state, or is configuration, reference, a typed
// command or prose. The tables are documents.go (files by path or start), commands.go (the output of commands), passages.go (parts
// of a text by their first line), and rows.go (lines).
package textclass
