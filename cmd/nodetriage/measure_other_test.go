//go:build !linux || race

package main

// measure is of the tests with hostile inputs, which are for Linux.
func measure() {}
