// Package lazyregexp has the expressions of the program itself, compiled at the first use: hundreds of them compiled at the
// start would take longer than most commands do.
package lazyregexp
