// Package lazyregexp compiles the expressions of the program at their first use. To compile hundreds of them at the start would
// take longer than most commands.
package lazyregexp
