// Package logline parses a log line without knowing its message: when, where and by which program it was written, its severity,
// its kind of error, and its object.
//
// Signatures know messages; this package knows lines. It makes unknown lines readable.
package logline
