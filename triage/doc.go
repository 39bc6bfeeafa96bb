// Package triage turns a Snapshot into a Report: it runs rules, weighs what they claim, and orders the
// findings over the causal graph of the catalogue so that the root comes first and nothing is hidden.
//
// It is pure: the time is an argument, and the same Snapshot gives the same Report forever.
package triage
