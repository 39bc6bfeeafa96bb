// Package logline reads what one line of a log says without knowing its message: when, where and by whom it was
// written, how grave it is, what kind of error it names, and which object it is about.
//
// Signatures know messages; this package knows lines. It is what makes a line that nobody has met before readable.
package logline
