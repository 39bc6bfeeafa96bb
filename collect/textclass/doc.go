// Package textclass identifies text before anything is matched in it: whether it reports state, or is configuration, reference,
// a typed command or prose. The knowledge is tables: documents.go (files by their path or beginning), commands.go (the output of
// commands), passages.go (parts of a text by their first line) and rows.go (single lines).
package textclass
