package execute

import (
	"path/filepath"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// SavedPath is where an archive is put that the agent on a node made at that time: beside the bundles of repairs, whoever fetches it.
func SavedPath(dir, node string, at time.Time) string {
	return filepath.Join(dir, nodereport.SavedAs(node, at))
}
