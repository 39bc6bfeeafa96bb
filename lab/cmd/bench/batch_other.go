//go:build unix && !linux

package main

// batch does nothing on other systems.
func batch() error { return nil }
