// Package wording is how the program says numbers, names, durations and instants, in every output the same.
package wording
