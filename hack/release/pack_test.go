package main

import (
	"bytes"
	"testing"
	"time"
)

// The same files give the same bytes, whenever they are packed.
func TestPackedAlike(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	files := []entry{{name: "usr/bin/a", mode: 0o755, data: []byte("a")}, {name: "usr/share/b", mode: 0o644, data: []byte("b")}}
	for name, pack := range map[string]func([]entry, time.Time) ([]byte, error){
		"tarball": tarball, "zipped": zipped,
		"deb": func(e []entry, at time.Time) ([]byte, error) { return deb(e, e, at) },
		"rpm": func(e []entry, at time.Time) ([]byte, error) {
			return redhat(artefact{name: "a", goarch: "amd64", version: "1.2.3"}, e, at)
		},
	} {
		first, err := pack(files, at)
		if err != nil {
			t.Fatal(err)
		}
		second, err := pack(files, at.In(time.FixedZone("", 3600)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Errorf("%s: two packs of the same files differ", name)
		}
	}
}
