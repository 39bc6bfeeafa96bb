//go:build linux

package lab

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
)

// Image is the image of the machines: the pause image, and the image of every container.
const Image = "registry.example.com/pause:1"

// ImageSpec describes an image of static programs.
type ImageSpec struct {
	Name       string
	Entrypoint []string
	Programs   map[string]string // path in the image -> file of the host
	Links      map[string]string // path in the image -> target of the link
}

// AddImage imports another image into a machine.
func (m *Machine) AddImage(ctx context.Context, spec ImageSpec) error {
	const packed = "/var/lib/image.tar"
	if err := writeImage(m.Path(packed), spec); err != nil {
		return fmt.Errorf("pack image %s: %w", spec.Name, err)
	}
	return m.importImage(ctx, packed)
}

// ImportImage imports an OCI image layout file of the host into a machine.
func (m *Machine) ImportImage(ctx context.Context, file string) error {
	const packed = "/var/lib/image.tar"
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := os.WriteFile(m.Path(packed), data, 0o600); err != nil {
		return fmt.Errorf("copy image %s: %w", file, err)
	}
	return m.importImage(ctx, packed)
}

// importImage imports an image from a file of the machine, and removes the file.
func (m *Machine) importImage(ctx context.Context, packed string) error {
	defer os.Remove(m.Path(packed))
	_, err := m.Run(ctx, "/usr/local/bin/ctr", "-n", "k8s.io", "images", "import", packed)
	return err
}

// writeImage writes an OCI image layout with one layer.
func writeImage(path string, spec ImageSpec) error {
	var content []file
	for _, name := range slices.Sorted(maps.Keys(spec.Programs)) {
		binary, err := os.ReadFile(spec.Programs[name])
		if err != nil {
			return err
		}
		content = append(content, file{name: name, data: binary, mode: 0o755})
	}
	for _, name := range slices.Sorted(maps.Keys(spec.Links)) {
		content = append(content, file{name: name, link: spec.Links[name], mode: 0o777})
	}
	layer := pack(content...)
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
		"architecture": runtime.GOARCH, "os": "linux", "config": map[string]any{"Entrypoint": spec.Entrypoint, "Env": []string{"PATH=/bin"}},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
	}))
	manifest := add(oci+"manifest.v1+json", encode(map[string]any{"schemaVersion": 2, "mediaType": oci + "manifest.v1+json", "config": config, "layers": layers}))
	manifest["annotations"] = map[string]string{"io.containerd.image.name": spec.Name}
	files := []file{
		{name: "oci-layout", data: []byte(`{"imageLayoutVersion":"1.0.0"}`), mode: 0o644},
		{name: "index.json", data: encode(map[string]any{"schemaVersion": 2, "manifests": []any{manifest}}), mode: 0o644},
	}
	for digest, data := range blobs {
		files = append(files, file{name: "blobs/sha256/" + digest, data: data, mode: 0o644})
	}
	return os.WriteFile(path, pack(files...), 0o644)
}

type file struct {
	name string
	data []byte
	link string // target of the link; empty: a file
	mode int64
}

func pack(files ...file) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		// Writes to memory do not fail.
		h := tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.data)), Typeflag: tar.TypeReg}
		if f.link != "" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, f.link
		}
		_ = w.WriteHeader(&h)
		_, _ = w.Write(f.data)
	}
	_ = w.Close()
	return out.Bytes()
}
