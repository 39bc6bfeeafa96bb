package execute

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// differences returns the JSON names of the fields in which two values of one type differ, in order.
func differences(written, now any) []string {
	was, is := fieldsOf(written), fieldsOf(now)
	names := maps.Clone(was)
	maps.Copy(names, is)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !bytes.Equal(was[name], is[name]) {
			out = append(out, name)
		}
	}
	return out
}

// fieldsOf returns the fields of an API type. Their JSON is canonical: the keys of maps are sorted.
func fieldsOf(v any) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	if data, err := json.Marshal(v); err == nil {
		_ = json.Unmarshal(data, &out)
	}
	return out
}

// keptByOwner returns a message about fields that keep the change of their owner, or "".
func keptByOwner(changed []string) string {
	if len(changed) == 0 {
		return ""
	}
	return fmt.Sprintf("its owner has changed %s; this change is kept", strings.Join(changed, ", "))
}
