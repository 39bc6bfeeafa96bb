// Package prefilter keeps regular expressions from texts on which they cannot match: an expression runs only where the
// literals are that every match of it contains. Looking for literals costs a hundredth of running the expression.
// What runs then is an expression that the faster ones of Go's matchers can run, with the same answers.
package prefilter
