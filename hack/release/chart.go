package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sigs.k8s.io/yaml"
)

// unreleased is the version of the chart in the repository.
const unreleased = "0.0.0"

// chart packs charts/nodetriage, as Helm does and in the form of a registry.
func (r *release) chart() error {
	files, err := chartFiles("charts/nodetriage", r.version)
	if err != nil {
		return err
	}
	packed, err := tarball(files, r.at)
	if err := errors.Join(err, r.write(fmt.Sprintf("nodetriage-%s.tgz", r.version), packed)); err != nil {
		return err
	}
	layout, err := chartLayout(files, packed, r.version, r.at)
	return errors.Join(err, r.write(fmt.Sprintf("nodetriage-chart_%s_oci.tar", r.version), layout))
}

// chartFiles returns the files of a chart with the version of the release. Helm requires Chart.yaml first.
func chartFiles(dir, version string) ([]entry, error) {
	var first, rest []entry
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == ".helmignore" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(filepath.Dir(dir), path)
		if err != nil {
			return err
		}
		e := entry{name: filepath.ToSlash(name), mode: 0o644, data: data}
		if d.Name() != "Chart.yaml" {
			rest = append(rest, e)
			return nil
		}
		e.data = bytes.ReplaceAll(data, []byte(unreleased), []byte(version))
		first = append(first, e)
		return nil
	})
	if err == nil && len(first) != 1 {
		err = fmt.Errorf("%s has %d files Chart.yaml, not one", dir, len(first))
	}
	return append(first, rest...), err
}

// chartLayout returns a chart in the form of a registry.
func chartLayout(files []entry, packed []byte, version string, at time.Time) ([]byte, error) {
	about, err := yaml.YAMLToJSON(files[0].data)
	if err != nil {
		return nil, err
	}
	var words struct{ Description string }
	if err := json.Unmarshal(about, &words); err != nil {
		return nil, err
	}
	var l layout
	config := l.add("application/vnd.cncf.helm.config.v1+json", about)
	content := l.add("application/vnd.cncf.helm.chart.content.v1.tar+gzip", packed)
	top, err := l.manifest(config, map[string]string{
		"org.opencontainers.image.title": "nodetriage", "org.opencontainers.image.version": version, "org.opencontainers.image.description": words.Description,
		"org.opencontainers.image.source": page, "org.opencontainers.image.created": at.Format(time.RFC3339),
	}, content)
	if err != nil {
		return nil, err
	}
	top.Annotations = map[string]string{"org.opencontainers.image.ref.name": version}
	return l.tar(top, at)
}
