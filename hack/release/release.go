package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// release is what is made of one commit.
type release struct {
	out, work       string
	tags, agentTags string
	version, commit string
	at              time.Time // of the commit
	grants          map[string]grant
	completions     []entry
	manpages        []entry
	images          map[string][]platform
	made            map[string]string // sums of SHA-256 by file name
	archives        map[string]string // file names by system and architecture
}

func newRelease(out, tags, agentTags string, grants map[string]grant) (*release, error) {
	version, err := output("git", "describe", "--tags", "--always", "--dirty", "--abbrev=12") // as many digits in every clone
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
	r := &release{
		out: out, work: filepath.Join(out, "build"), tags: tags, agentTags: agentTags, version: version, commit: commit, at: at.UTC(), grants: grants,
		images: map[string][]platform{}, made: map[string]string{}, archives: map[string]string{},
	}
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	return r, os.MkdirAll(r.work, 0o755)
}

// semantic is what git says of a commit as a semantic version. Without a tag git says the commit alone, which is no
// version to installers; the letter keeps a commit of digits from being read as a number.
func semantic(described string) string {
	version := strings.TrimPrefix(described, "v")
	if !strings.Contains(version, ".") {
		return unreleased + "-g" + version
	}
	return version
}

// archive is what is downloaded for one system.
type archive struct{ goos, goarch, file, sha256 string }

// on are the archives for some systems.
func on(archives []archive, systems ...string) []archive {
	return slices.DeleteFunc(slices.Clone(archives), func(a archive) bool { return !slices.Contains(systems, a.goos) })
}

// url is where a release has a file.
func url(version, file string) string {
	return page + "/releases/download/v" + version + "/" + file
}

// manifests writes what catalogues of programs want to know, each in its own form.
func (r *release) manifests() error {
	var archives []archive
	for _, target := range targets {
		if file, ok := r.archives[target]; ok {
			goos, goarch, _ := strings.Cut(target, "/")
			archives = append(archives, archive{goos, goarch, file, r.made[file]})
		}
	}
	files := map[string][]byte{}
	if windows := on(archives, "windows"); len(windows) > 0 {
		bucket, err := scoop(r.version, windows)
		if err != nil {
			return err
		}
		if files, err = winget(r.version, windows, r.at); err != nil {
			return err
		}
		files["nodetriage.json"] = bucket
	}
	if len(on(archives, "linux", "darwin")) > 0 {
		files["nodetriage.rb"] = []byte(homebrew(r.version, archives))
	}
	files["nodetriage.yaml"] = []byte(krewManifest(r.version, archives))
	for name, data := range files {
		if err := r.write(name, data); err != nil {
			return err
		}
	}
	return nil
}

// write keeps a file of the release and its sum.
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
