// Package knowledge holds general knowledge, which does not depend on evidence: causes and symptoms (catalog), messages of
// components (signatures), components themselves (components), clouds, the forms of log lines (logline), and how commands that people
// paste are written (shell).
//
// Most of it is data, so that a new cause or message needs no Go code. prefilter and lazyregexp make its search fast.
package knowledge
