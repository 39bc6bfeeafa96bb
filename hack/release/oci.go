package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

const (
	ociIndex    = "application/vnd.oci.image.index.v1+json"
	ociManifest = "application/vnd.oci.image.manifest.v1+json"
	ociConfig   = "application/vnd.oci.image.config.v1+json"
	ociLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// layout is an OCI image layout: the contents of a registry, as files.
type layout struct{ blobs map[string][]byte }

// descriptor references one part of a layout from another.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

func (l *layout) add(mediaType string, data []byte) descriptor {
	if l.blobs == nil {
		l.blobs = map[string][]byte{}
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(data))
	l.blobs[sum] = data
	return descriptor{MediaType: mediaType, Digest: "sha256:" + sum, Size: len(data)}
}

func (l *layout) addJSON(mediaType string, v any) (descriptor, error) {
	data, err := json.Marshal(v)
	return l.add(mediaType, data), err
}

// manifest adds the manifest of a config and its layers.
func (l *layout) manifest(config descriptor, annotations map[string]string, layers ...descriptor) (descriptor, error) {
	return l.addJSON(ociManifest, object{"schemaVersion": 2, "mediaType": ociManifest, "config": config, "layers": layers, "annotations": annotations})
}

// tar packs the layout with its only top-level part.
func (l *layout) tar(top descriptor, at time.Time) ([]byte, error) {
	index, err := json.Marshal(object{"schemaVersion": 2, "mediaType": ociIndex, "manifests": []descriptor{top}})
	if err != nil {
		return nil, err
	}
	entries := []entry{{name: "oci-layout", mode: 0o644, data: []byte(`{"imageLayoutVersion":"1.0.0"}`)}, {name: "index.json", mode: 0o644, data: index}, {name: "blobs/", mode: 0o755}, {name: "blobs/sha256/", mode: 0o755}}
	for _, sum := range slices.Sorted(maps.Keys(l.blobs)) {
		entries = append(entries, entry{name: "blobs/sha256/" + sum, mode: 0o644, data: l.blobs[sum]})
	}
	return tarred(entries, at)
}
