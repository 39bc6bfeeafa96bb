package main

import (
	"crypto/sha256"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// registry is the registry of the images and the chart.
const registry = "ghcr.io/nodetriage/"

// platform is one program in an image.
type platform struct {
	goarch string
	files  []entry
}

// inImage adds a program to the image of its name.
func (r *release) inImage(a packed, program []byte) error {
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	notices, err := os.ReadFile(a.Path + ".NOTICES")
	if err != nil {
		return err
	}
	files := []entry{
		{name: a.Name, mode: 0o755, data: program}, {name: "licenses/", mode: 0o755},
		{name: "licenses/LICENSE", mode: 0o644, data: licence}, {name: "licenses/NOTICES", mode: 0o644, data: notices},
	}
	if a.Name == "nodetriage" { // it connects to clouds; the agent connects only to its node, and the controller to its cluster
		files = append(files, entry{name: "etc/", mode: 0o755}, entry{name: "etc/ssl/", mode: 0o755}, entry{name: "etc/ssl/certs/", mode: 0o755},
			entry{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, data: roots()}, entry{name: "tmp/", mode: 0o1777})
	}
	r.images[a.Name] = append(r.images[a.Name], platform{a.Goarch, files})
	return nil
}

// roots returns the certificate authorities that browsers trust, from a module, so that they are the same on every computer.
func roots() []byte {
	var out []byte
	for root := range bundle.Roots() {
		if root.Constraint == nil { // a file of authorities cannot express the constraints of one
			out = append(out, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})...)
		}
	}
	return out
}

// writeImages writes the images as OCI layouts: from scratch, for an unprivileged user.
func (r *release) writeImages() error {
	for name, platforms := range r.images {
		packed, err := imageOf(name, platforms, r.version, r.commit, r.at)
		if err := errors.Join(err, r.write(fmt.Sprintf("%s_%s_image.tar", name, r.version), packed)); err != nil {
			return fmt.Errorf("image of %s: %w", name, err)
		}
	}
	return nil
}

func imageOf(name string, platforms []platform, version, commit string, at time.Time) ([]byte, error) {
	var l layout
	said := map[string]string{
		"org.opencontainers.image.title": name, "org.opencontainers.image.version": version, "org.opencontainers.image.revision": commit,
		"org.opencontainers.image.source": page, "org.opencontainers.image.licenses": "Apache-2.0",
		"org.opencontainers.image.created": at.Format(time.RFC3339),
	}
	var manifests []descriptor
	for _, p := range platforms {
		content, err := tarred(p.files, at)
		if err != nil {
			return nil, err
		}
		packed, err := gzipped(content)
		if err != nil {
			return nil, err
		}
		layer := l.add(ociLayer, packed)
		config, err := l.addJSON(ociConfig, object{
			"created": at.Format(time.RFC3339), "architecture": p.goarch, "os": "linux",
			"config":  object{"User": "65532:65532", "Entrypoint": []string{"/" + name}, "Env": []string{"PATH=/"}, "WorkingDir": "/", "Labels": said},
			"rootfs":  object{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(content))}},
			"history": []object{{"created": at.Format(time.RFC3339), "created_by": "make release"}},
		})
		if err != nil {
			return nil, err
		}
		m, err := l.manifest(config, said, layer)
		if err != nil {
			return nil, err
		}
		m.Platform = map[string]string{"os": "linux", "architecture": p.goarch}
		manifests = append(manifests, m)
	}
	top, err := l.addJSON(ociIndex, object{"schemaVersion": 2, "mediaType": ociIndex, "manifests": manifests, "annotations": said})
	if err != nil {
		return nil, err
	}
	top.Annotations = map[string]string{"org.opencontainers.image.ref.name": version, "io.containerd.image.name": registry + name + ":" + version}
	return l.tar(top, at)
}
