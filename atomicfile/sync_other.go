//go:build !unix

package atomicfile

// noFollow: Windows has no such flag.
const noFollow = 0

// syncDir: Windows cannot sync a folder.
func syncDir(string) error { return nil }
