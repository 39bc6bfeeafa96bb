// Package prefilter avoids running regular expressions on texts that they cannot match. An expression runs only if the text
// contains the literals of every match. A search for literals costs a hundredth of running the expression. What runs then is an
// expression for the faster matchers of Go, with the same results.
package prefilter
