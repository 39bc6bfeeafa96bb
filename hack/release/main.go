// Command release makes what people install from one commit: archives, packages, lists of parts and sums, under
// dist. Nothing is published. It runs at the root of the repository. With -licences it builds nothing, and fails if a
// module of the programs has a licence outside the list.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var (
	programs = []string{"./cmd/nodetriage", "./cmd/nodetriage-agent"}
	targets  = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
)

func main() {
	only := flag.Bool("licences", false, "only look at the licences of all modules")
	chosen := flag.String("targets", strings.Join(targets, ","), "systems to build for")
	tags := flag.String("agent-tags", "", "build tags of the agent")
	out := flag.String("o", "dist", "folder to write to")
	flag.Parse()
	err := run(*only, strings.Split(*chosen, ","), *tags, *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(only bool, chosen []string, agentTags, out string) error {
	systems := []string{"linux", "darwin", "windows"}
	grants := map[string]grant{}
	var bad []error
	for _, goos := range systems {
		packages := programs
		if goos != "linux" {
			packages = programs[:1]
		}
		g, err := grantsOf(goos, packages...)
		if err != nil {
			bad = append(bad, err)
		}
		for id, of := range g {
			grants[id] = of
		}
	}
	if err := errors.Join(bad...); err != nil {
		return err
	}
	if only {
		return nil
	}
	r, err := newRelease(out, agentTags, grants)
	if err != nil {
		return err
	}
	for _, target := range chosen {
		goos, goarch, ok := strings.Cut(target, "/")
		if !ok || !slices.Contains(targets, target) {
			return fmt.Errorf("target %q is none of %s", target, strings.Join(targets, ", "))
		}
		if err := r.program(goos, goarch); err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
		if goos == "linux" {
			if err := r.agent(goarch); err != nil {
				return fmt.Errorf("%s: %w", target, err)
			}
		}
	}
	manifest := krewManifest(r.version, "https://github.com/nodetriage/nodetriage", r.archives, r.made)
	if err := r.write("nodetriage.yaml", []byte(manifest)); err != nil {
		return err
	}
	return r.sums()
}

// release is what is made of one commit.
type release struct {
	out, work string
	agentTags string
	version   string
	at        time.Time // of the commit
	grants    map[string]grant
	made      map[string]string // sums of SHA-256 by file name
	archives  map[string]string // file names by system and architecture
}

func newRelease(out, agentTags string, grants map[string]grant) (*release, error) {
	version, err := output("git", "describe", "--tags", "--always", "--dirty")
	if err != nil {
		return nil, err
	}
	version = strings.TrimPrefix(version, "v")
	if !strings.Contains(version, ".") { // no tag yet: git says the commit alone, which is no version to installers
		version = "0.0.0-" + version
	}
	when, err := output("git", "show", "-s", "--format=%cI", "HEAD")
	if err != nil {
		return nil, err
	}
	at, err := time.Parse(time.RFC3339, when)
	if err != nil {
		return nil, err
	}
	r := &release{out: out, work: filepath.Join(out, "build"), agentTags: agentTags, version: version, at: at.UTC(), grants: grants, made: map[string]string{}, archives: map[string]string{}}
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	return r, os.MkdirAll(r.work, 0o755)
}

// program makes the archive of nodetriage for one system.
func (r *release) program(goos, goarch string) error {
	name := "nodetriage"
	if goos == "windows" {
		name += ".exe"
	}
	a, data, err := r.build("nodetriage", programs[0], name, goos, goarch, "-s -w -X main.linked=v"+r.version, "")
	if err != nil {
		return err
	}
	entries, err := r.texts(a)
	if err != nil {
		return err
	}
	entries = append([]entry{{name: name, mode: 0o755, data: data}}, entries...)
	pack, ending := tarball, ".tar.gz"
	if goos == "windows" {
		pack, ending = zipped, ".zip"
	}
	packed, err := pack(entries, r.at)
	if err != nil {
		return err
	}
	r.archives[goos+"/"+goarch] = a.id() + ending
	return r.write(a.id()+ending, packed)
}

// agent makes the archive and the package of the agent, with its unit.
func (r *release) agent(goarch string) error {
	a, data, err := r.build("nodetriage-agent", programs[1], "nodetriage-agent", "linux", goarch, "-s -w", r.agentTags)
	if err != nil {
		return err
	}
	texts, err := r.texts(a)
	if err != nil {
		return err
	}
	unit, err := os.ReadFile("deploy/nodetriage-agent.service")
	if err != nil {
		return err
	}
	packed, err := tarball(append([]entry{{name: "nodetriage-agent", mode: 0o755, data: data}, {name: "nodetriage-agent.service", mode: 0o644, data: unit}}, texts...), r.at)
	if err := errors.Join(err, r.write(a.id()+".tar.gz", packed)); err != nil {
		return err
	}
	installed := bytes.ReplaceAll(unit, []byte("/usr/local/bin/"), []byte("/usr/bin/"))
	files := []entry{{name: "usr/bin/nodetriage-agent", mode: 0o755, data: data}, {name: "usr/lib/systemd/system/nodetriage-agent.service", mode: 0o644, data: installed}}
	for _, t := range texts {
		files = append(files, entry{name: "usr/share/doc/nodetriage-agent/" + t.name, mode: t.mode, data: t.data})
	}
	packed, err = deb(control(a, files), files, r.at)
	return errors.Join(err, r.write(fmt.Sprintf("nodetriage-agent_%s_%s.deb", debVersion(r.version), goarch), packed))
}

// build makes one program, and says what it is made of.
func (r *release) build(name, source, file, goos, goarch, ldflags, tags string) (artefact, []byte, error) {
	to := filepath.Join(r.work, goos+"_"+goarch, file)
	// Not with the state of the checkout: that differs with files that lie beside, and version has the commit.
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags", ldflags, "-o", to}
	if tags != "" {
		args = append(args, "-tags", tags)
	}
	cmd := exec.Command("go", append(args, source)...)
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return artefact{}, nil, fmt.Errorf("build of %s: %w", source, err)
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
