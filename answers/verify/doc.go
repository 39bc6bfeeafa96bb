// Package verify judges whether a node works again. Each condition that a fix must restore is a step, including what the rules
// find. A fix is proven by clear steps, never by unknown ones.
//
// It only reads the evidence. The canary pod is in package execute, which adds its steps.
package verify
