//go:build !linux

package main

import "runtime/debug"

func release() { debug.FreeOSMemory() }

func keepSmall() (stop func()) { return func() {} }
