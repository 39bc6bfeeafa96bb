package collect

import (
	"encoding/json"
	"strings"

	"github.com/nodetriage/nodetriage/nodereport"
)

// addNodeReport adds a report that the agent wrote on a node, if that is what the JSON is.
func (b *Builder) addNodeReport(name string, raw []byte) bool {
	var r nodereport.Report
	if err := json.Unmarshal(raw, &r); err != nil || r.Kind != nodereport.Kind || !strings.HasPrefix(r.APIVersion, "nodetriage.dev/") {
		return false
	}
	r.Source = name
	if b.room(2 * len(raw)) {
		b.AddReport(&r)
	}
	return true
}
