//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

// onTerminal needs pseudo-terminals of Linux. Its scripts are skipped elsewhere.
func onTerminal(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("there is no terminal") }
