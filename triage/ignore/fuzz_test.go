package ignore_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/triage/ignore"
)

// FuzzRead reads an arbitrary file: the result is a usable list, or an error.
func FuzzRead(f *testing.F) {
	f.Add([]byte("exceptions:\n- cause: disk-pressure\n  on: Node/a\n  reason: known\n  until: 2026-12-01\n"))
	f.Add([]byte("exceptions: [null, {}, {cause: x}]"))
	f.Add([]byte("a: &a [*a]"))
	known := func(string) bool { return true }
	none := func(string) string { return "" }
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ignore.Read("list.yaml", data, known, none)
		if err == nil {
			list.Notes(time.Unix(0, 0))
		}
	})
}
