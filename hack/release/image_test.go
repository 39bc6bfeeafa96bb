package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// Every part of a layout is named by its checksum, and the image specifies its program and user.
func TestImageOf(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var platforms []platform
	for _, goarch := range []string{"amd64", "arm64"} {
		platforms = append(platforms, platform{goarch, []entry{{name: "x", mode: 0o755, data: []byte(goarch)}}})
	}
	data, err := imageOf("x", platforms, "1.2.3", "abc", at)
	if err != nil {
		t.Fatal(err)
	}
	blobs := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if sum, ok := strings.CutPrefix(h.Name, "blobs/sha256/"); ok && sum != "" && sum != fmt.Sprintf("%x", sha256.Sum256(content)) {
			t.Errorf("%s does not have its sum", h.Name)
		}
		blobs[h.Name] = content
	}
	read := func(d descriptor, into any) {
		t.Helper()
		content, ok := blobs["blobs/"+strings.Replace(d.Digest, ":", "/", 1)]
		if !ok || len(content) != d.Size {
			t.Fatalf("%s has %d bytes, want %d", d.Digest, len(content), d.Size)
		}
		if err := json.Unmarshal(content, into); err != nil {
			t.Fatal(err)
		}
	}
	type index struct{ Manifests []descriptor }
	var top, both index
	if err := json.Unmarshal(blobs["index.json"], &top); err != nil || len(top.Manifests) != 1 {
		t.Fatalf("index.json: %v\n%s", err, blobs["index.json"])
	}
	read(top.Manifests[0], &both)
	if len(both.Manifests) != 2 {
		t.Fatalf("the image is for %d architectures", len(both.Manifests))
	}
	for _, d := range both.Manifests {
		var m struct{ Config descriptor }
		var config struct {
			Architecture string
			Config       struct {
				User       string
				Entrypoint []string
			}
		}
		read(d, &m)
		read(m.Config, &config)
		if config.Architecture != d.Platform["architecture"] || config.Config.User != "65532:65532" || config.Config.Entrypoint[0] != "/x" {
			t.Errorf("config of %v is %+v", d.Platform, config)
		}
	}
}

func TestRoots(t *testing.T) {
	if n := bytes.Count(roots(), []byte("BEGIN CERTIFICATE")); n < 100 {
		t.Errorf("%d authorities, want those of browsers", n)
	}
}
