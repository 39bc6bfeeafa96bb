package execute

import (
	"path/filepath"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// SavedPath returns the path for an archive that the agent on a node saved at this time. It is in the folder of the
// repair bundles.
func SavedPath(dir, node string, at time.Time) string {
	return filepath.Join(dir, nodereport.SavedAs(node, at))
}
