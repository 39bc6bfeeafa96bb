package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// settings are those of Go that change what is built: the environment of who builds has no say.
var settings = []string{"CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOFIPS140=off", "GOFLAGS=-trimpath"}

func (r *release) ldflags() string { return "-s -w -X main.linked=v" + r.version }

// compile builds a program for a system, or for this computer where that is empty; tags are those of all programs
// where they are empty.
func (r *release) compile(source, to, goos, goarch, tags string) error {
	if tags == "" {
		tags = r.tags
	}
	// Not with the state of the checkout: that differs with files that lie beside, and version has the commit.
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags", r.ldflags(), "-tags", tags, "-o", to, source)
	cmd.Env = append(append(cmd.Environ(), "GOOS="+goos, "GOARCH="+goarch), settings...)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build of %s: %w", source, err)
	}
	return nil
}

// build makes one program, and says what it is made of.
func (r *release) build(name, source, file, goos, goarch, tags string) (artefact, []byte, error) {
	to := filepath.Join(r.work, goos+"_"+goarch, file)
	if err := r.compile(source, to, goos, goarch, tags); err != nil {
		return artefact{}, nil, err
	}
	data, err := os.ReadFile(to)
	if err != nil {
		return artefact{}, nil, err
	}
	modules, err := linkedInto(to, r.grants)
	sum := sha256.Sum256(data)
	return artefact{name: name, goos: goos, goarch: goarch, version: r.version, made: r.at.Format(time.RFC3339), sha256: hex.EncodeToString(sum[:]), modules: modules}, data, err
}

// texts are the licence and notices that go along with a program; its lists of parts are written beside.
func (r *release) texts(a artefact) ([]entry, error) {
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, err
	}
	cdx, err := cycloneDX(a)
	if err != nil {
		return nil, err
	}
	parts, err := spdx(a)
	if err != nil {
		return nil, err
	}
	err = errors.Join(r.write(a.id()+".cdx.json", cdx), r.write(a.id()+".spdx.json", parts))
	return []entry{{name: "LICENSE", mode: 0o644, data: licence}, {name: "NOTICES", mode: 0o644, data: []byte(notices(a.modules))}}, err
}
