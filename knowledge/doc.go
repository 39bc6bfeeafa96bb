// Package knowledge holds what is known in general, before any evidence is read: causes and symptoms (catalog), messages
// of components (signatures), components themselves (components), the forms of log lines (logline), and how commands that
// people paste are written (shell).
//
// Most of it is data, so that a cause or a message is added without Go. prefilter and lazyregexp make its search fast.
package knowledge
