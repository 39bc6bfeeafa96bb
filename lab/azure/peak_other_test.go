//go:build !unix

package azure_test

import "os"

// peak returns 0: the value is unknown on this system.
func peak(*os.ProcessState) int64 { return 0 }
