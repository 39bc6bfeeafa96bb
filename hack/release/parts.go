package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"os"
	"path"
)

// writeParts writes the parts of a program next to it: the licences of its modules, and its SBOM in two formats. GoReleaser
// runs it after each build.
func writeParts(program string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	goos, goarch := settings["GOOS"], settings["GOARCH"]
	grants, err := grantsOf(goos, goarch, settings["-tags"], info.Path)
	if err != nil {
		return err
	}
	modules, err := linkedInto(info, grants)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	a := artefact{
		name: path.Base(info.Path), goos: goos, goarch: goarch, version: os.Getenv("RELEASE_VERSION"), made: os.Getenv("RELEASE_DATE"),
		sha256: hex.EncodeToString(sum[:]), modules: modules,
	}
	cdx, err := cycloneDX(a)
	if err != nil {
		return err
	}
	parts, err := spdx(a)
	return errors.Join(err, os.WriteFile(program+".NOTICES", []byte(notices(modules)), 0o600),
		os.WriteFile(program+".cdx.json", cdx, 0o600), os.WriteFile(program+".spdx.json", parts, 0o600))
}
