package main

import (
	"bytes"
	"testing"
	"time"
)

// The same files give the same bytes at any time.
func TestPackedAlike(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	files := []entry{{name: "usr/bin/a", mode: 0o755, data: []byte("a")}, {name: "usr/share/b", mode: 0o644, data: []byte("b")}}
	first, err := tarball(files, at)
	if err != nil {
		t.Fatal(err)
	}
	second, err := tarball(files, at.In(time.FixedZone("", 3600)))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("two packs of the same files differ")
	}
}
