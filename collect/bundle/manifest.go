package bundle

import (
	"fmt"
	"io"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/evidence/redact"
)

// ManifestName is the file of a bundle that lists its content; it is no evidence.
const ManifestName = "nodetriage-manifest.json"

// Names of the JSON forms of a bundle.
const (
	Version  = "nodetriage.dev/v1alpha1"
	Kind     = "Bundle"
	ListKind = "Evidence" // one list of the objects
)

// Manifest is the first file of a bundle. It describes the evidence as a whole and lists the other files.
type Manifest struct {
	APIVersion string                              `json:"apiVersion"`
	Kind       string                              `json:"kind"`
	Tool       string                              `json:"tool,omitempty"` // the tool that wrote it, with its version
	TakenAt    time.Time                           `json:"takenAt,omitzero"`
	Source     evidence.Source                     `json:"source"`
	Server     evidence.Server                     `json:"server,omitzero"`
	Coverage   map[evidence.Kind]evidence.Coverage `json:"coverage"`
	// PodsReadOn, PodsReadIn, CloudAnswers, Dumps and Zone are fields of evidence.Data.
	PodsReadOn   []string       `json:"podsReadOn,omitempty"`
	PodsReadIn   []string       `json:"podsReadIn,omitempty"`
	CloudAnswers []string       `json:"cloudAnswers,omitempty"`
	Dumps        []string       `json:"dumps,omitempty"`
	Zone         time.Duration  `json:"zone,omitempty"`
	Gaps         []evidence.Gap `json:"gaps"`
	Redaction    Redaction      `json:"redaction"`
	Files        []File         `json:"files"`
}

// Redaction reports what was replaced in the files.
type Redaction struct {
	Emails   bool               `json:"emails"` // email addresses were replaced too
	Replaced []redact.Redaction `json:"replaced"`
}

// File is one file of a bundle.
type File struct {
	Path   string `json:"path"`
	Kind   string `json:"kind"`            // objects, text, cloud
	Of     string `json:"of,omitempty"`    // objects: their list
	Items  int    `json:"items,omitempty"` // objects: their number
	Size   int64  `json:"size"`            // bytes
	SHA256 string `json:"sha256"`          // hexadecimal

	// For texts: the name in the evidence, the kind of text, and the subject, if known.
	Source   string           `json:"source,omitempty"`
	TextKind string           `json:"textKind,omitempty"`
	Subject  evidence.Subject `json:"subject,omitzero"`
}

const maxManifest = 64 << 20 // bytes

// DecodeManifest reads a manifest.
func DecodeManifest(r io.Reader) (*Manifest, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxManifest+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxManifest {
		return nil, fmt.Errorf("it is larger than %d MiB", maxManifest>>20)
	}
	var m Manifest
	if err := bounds.JSON(data, &m); err != nil {
		return nil, fmt.Errorf("invalid manifest: %w", err)
	}
	if m.APIVersion != Version || m.Kind != Kind {
		return nil, fmt.Errorf("it is a %s of %s, not a %s of %s: read it with the version of nodetriage that wrote it", m.Kind, m.APIVersion, Kind, Version)
	}
	return &m, nil
}
