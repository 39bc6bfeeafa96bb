// Package engine judges a watched cluster each time that it changes. Its judgements are those of the command diagnose. It only reads.
package engine
