package execute

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"time"
)

// SavedPath is where an archive is put that the agent on a node made at that time: beside the bundles of repairs, whoever fetches it.
func SavedPath(dir, node string, at time.Time) string {
	name := safeFile(node)
	if name != node { // two names may become the same without the characters that a file name cannot have
		name += fmt.Sprintf("-%x", sha256.Sum256([]byte(node)))[:9]
	}
	return filepath.Join(dir, fmt.Sprintf("saved-%s-%s.tar.gz", name, at.UTC().Format("20060102T150405Z")))
}
