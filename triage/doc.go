// Package triage turns a Snapshot into a Report. It runs the rules, weighs their claims, and orders the findings by the causal
// graph of the catalog: the root cause comes first, and everything that is left out is counted or listed.
//
// The package is pure: the time is an argument, and the same Snapshot always gives the same Report.
package triage
