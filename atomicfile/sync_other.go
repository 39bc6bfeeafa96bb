//go:build !unix

package atomicfile

// noFollow is 0: Windows has no such flag.
const noFollow = 0

// syncDir does nothing: Windows cannot sync a folder.
func syncDir(string) error { return nil }
