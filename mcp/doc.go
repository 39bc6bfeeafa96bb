// Package mcp answers agents over the Model Context Protocol. Each tool asks one question of package ask and returns a short answer:
// the verdict, the first cause with its decisive line, the next command, what not to do and what is unknown. The rest follows by
// cursor.
//
// Text from a cluster, a log or a file is only in fields below the key "untrusted" (Data). All other texts are those of the catalog
// and of this package. An answer has at most MaxAnswer bytes, with its text and its structured copy together.
//
// The tools only read. They return plans and commands as text. This package imports nothing that can change a cluster or a cloud.
package mcp
