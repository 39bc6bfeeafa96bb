package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// release is the output for one commit.
type release struct {
	out, prepared   string // the folder of the release, and its subfolder with the input of GoReleaser
	tags, agentTags string
	version, commit string
	at              time.Time // of the commit
	images          map[string][]platform
	windows         []archive         // archives for winget
	made            map[string]string // sums of SHA-256 by file name
}

func newRelease(tags, agentTags string) (*release, error) {
	version, err := output("git", "describe", "--tags", "--always", "--dirty", "--abbrev=12") // the same number of digits in every clone
	if err != nil {
		return nil, err
	}
	version = semantic(version)
	commit, err := output("git", "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	when, err := output("git", "show", "-s", "--format=%cI", "HEAD")
	if err != nil {
		return nil, err
	}
	at, err := time.Parse(time.RFC3339, when)
	if err != nil {
		return nil, err
	}
	const out = "dist" // the folder in .goreleaser.yaml
	r := &release{
		out: out, prepared: filepath.Join(out, "prepared"), tags: tags, agentTags: agentTags, version: version, commit: commit, at: at.UTC(),
		images: map[string][]platform{}, made: map[string]string{},
	}
	err = os.RemoveAll(out)
	for _, dir := range []string{"completions", "man/man1"} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(r.prepared, dir), 0o755))
	}
	return r, err
}

// semantic returns git's description of a commit as a semantic version. Without a tag git returns only the commit, which
// installers do not accept as a version. The letter prevents a commit of digits from being parsed as a number.
func semantic(described string) string {
	version := strings.TrimPrefix(described, "v")
	if !strings.Contains(version, ".") {
		return unreleased + "-g" + version
	}
	return version
}

// manifests writes the winget manifests for the Windows archives. GoReleaser would write the day of the build into its
// manifests.
func (r *release) manifests() error {
	if len(r.windows) == 0 {
		return nil
	}
	files, err := winget(r.version, r.windows, r.at)
	for name, data := range files {
		err = errors.Join(err, r.write(name, data))
	}
	return err
}

// write writes a file of the release and records its checksum.
func (r *release) write(name string, data []byte) error {
	sum := sha256.Sum256(data)
	r.made[name] = hex.EncodeToString(sum[:])
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

// sums writes checksums.txt, in the form that sha256sum -c reads.
func (r *release) sums() error {
	var b strings.Builder
	names := make([]string, 0, len(r.made))
	for name := range r.made {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "%s  %s\n", r.made[name], name)
	}
	return os.WriteFile(filepath.Join(r.out, "checksums.txt"), []byte(b.String()), 0o644)
}

func output(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
