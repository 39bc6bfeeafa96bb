//go:build unix

package agent

import (
	"io/fs"
	"syscall"
)

// ownerOf returns the user ID of the owner of a file.
func ownerOf(info fs.FileInfo) uint32 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Uid
	}
	return 0
}
