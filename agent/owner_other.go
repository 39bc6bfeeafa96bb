//go:build !unix

package agent

import "io/fs"

// ownerOf is root: files of a node that were saved elsewhere do not keep who owned them.
func ownerOf(fs.FileInfo) uint32 { return 0 }
