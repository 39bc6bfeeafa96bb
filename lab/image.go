//go:build linux

package lab

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
)

// Image is the one that machines have: as pause image and for every container.
const Image = "registry.example.com/pause:1"

// writeImage packs a static program as an OCI image layout with one layer.
func writeImage(path, program string) error {
	binary, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	layer := pack(file{"pause", binary, 0o755})
	blobs := map[string][]byte{}
	add := func(mediaType string, data []byte) map[string]any {
		digest := fmt.Sprintf("%x", sha256.Sum256(data))
		blobs[digest] = data
		return map[string]any{"mediaType": mediaType, "digest": "sha256:" + digest, "size": len(data)}
	}
	const oci = "application/vnd.oci.image."
	encode := func(v any) []byte {
		data, err := json.Marshal(v)
		if err != nil {
			panic(err) // maps of plain values
		}
		return data
	}
	layers := []any{add(oci+"layer.v1.tar", layer)}
	config := add(oci+"config.v1+json", encode(map[string]any{
		"architecture": runtime.GOARCH, "os": "linux", "config": map[string]any{"Entrypoint": []string{"/pause"}},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
	}))
	manifest := add(oci+"manifest.v1+json", encode(map[string]any{"schemaVersion": 2, "mediaType": oci + "manifest.v1+json", "config": config, "layers": layers}))
	manifest["annotations"] = map[string]string{"io.containerd.image.name": Image}
	files := []file{
		{"oci-layout", []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o644},
		{"index.json", encode(map[string]any{"schemaVersion": 2, "manifests": []any{manifest}}), 0o644},
	}
	for digest, data := range blobs {
		files = append(files, file{"blobs/sha256/" + digest, data, 0o644})
	}
	return os.WriteFile(path, pack(files...), 0o644)
}

type file struct {
	name string
	data []byte
	mode int64
}

func pack(files ...file) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		// Writing to memory does not fail.
		_ = w.WriteHeader(&tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.data)), Typeflag: tar.TypeReg})
		_, _ = w.Write(f.data)
	}
	_ = w.Close()
	return out.Bytes()
}
