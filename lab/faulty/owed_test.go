//go:build unix

package faulty_test

import "flag"

var strict = flag.Bool("strict", false, "also fail for the commands of which wrong answers are known")

// owed are commands of which wrong answers are known. They are judged and counted like all others, and fail with -strict
// alone. The list may only shrink.
var owed = map[string]bool{
	"diagnose": true, "diagnose-node": true, "diff": true, "collect": true, "check": true, "check-pool": true, "drain": true,
	"upgrade": true, "predict": true, "why": true, "why-deployment": true, "why-pending": true, "nodes": true, "nodes-node": true,
	"pools": true, "pods": true, "budgets": true, "daemonsets": true, "verify": true,
}

// owedAccess are ways to have no access that commands do not name yet, or not in time.
var owedAccess = map[string]bool{"expired login": true, "login plugin hangs": true}

// fails reports whether a wrong answer fails the test.
func fails(known bool) bool { return *strict || !known }
