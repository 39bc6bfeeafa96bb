package collect

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// placeholder matches a value that a network agent fills in when it writes the file on the node.
var placeholder = lazyregexp.New(`__[A-Z0-9_]{1,60}__`)

// networkConfig checks the configuration that a network agent copies from a ConfigMap to each node. A runtime ignores a file that is
// not valid JSON, and only reports that it has no configuration.
func (o *objects) networkConfig(d decoded) {
	var m struct {
		Metadata struct {
			Name      string `json:"name"`
			Namespace string `json:"namespace"`
		} `json:"metadata"`
		Data map[string]string `json:"data"`
	}
	if bounds.JSON(d.raw, &m) != nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(m.Data)) {
		config := m.Data[key]
		if !strings.Contains(config, `"cniVersion"`) || strings.Contains(config, "{{") {
			continue
		}
		var filled json.RawMessage
		if err := json.Unmarshal([]byte(placeholder.ReplaceAllString(config, "0")), &filled); err != nil {
			o.search(d.line, fmt.Appendf(nil, "ConfigMap %s/%s, key %s: the network configuration is not valid JSON: %v\n", m.Metadata.Namespace, m.Metadata.Name, key, err))
		}
	}
}
