//go:build !unix

package execute

import "os"

// alone does not lock files on this platform. The cloud rejects concurrent operations.
func alone(*os.File) error { return nil }
