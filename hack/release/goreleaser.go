package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// most is the maximum size of the archive of nodetriage.
const most = 21_000_000

// packed is an artefact of GoReleaser, as its artifacts.json lists it.
type packed struct {
	Name, Path, Goos, Goarch, Type string
}

// config returns .goreleaser.yaml with the chosen targets (all if none is chosen), and the steps to skip because they would
// pack nothing.
func config(text []byte, chosen []string) (out []byte, skip []string, err error) {
	var c object
	if err := yaml.Unmarshal(text, &c); err != nil {
		return nil, nil, err
	}
	var all, kept []string
	for _, b := range c["builds"].([]any) {
		build := b.(object)
		var of []string
		for _, t := range build["targets"].([]any) {
			target := strings.ReplaceAll(t.(string), "_", "/")
			all = append(all, target)
			if len(chosen) == 0 || slices.Contains(chosen, target) {
				of = append(of, t.(string))
			}
		}
		build["targets"], build["skip"] = of, len(of) == 0
		kept = append(kept, of...)
	}
	for _, target := range chosen {
		if !slices.Contains(all, target) {
			return nil, nil, fmt.Errorf("no such target: %q, want some of %s", target, strings.Join(all, ", "))
		}
	}
	for _, step := range []struct {
		name    string
		systems []string
	}{{"nfpm", []string{"linux"}}, {"homebrew", []string{"linux", "darwin"}}, {"scoop", []string{"windows"}}} {
		if !slices.ContainsFunc(kept, func(target string) bool {
			goos, _, _ := strings.Cut(target, "_")
			return slices.Contains(step.systems, goos)
		}) {
			skip = append(skip, step.name)
		}
	}
	out, err = yaml.Marshal(c)
	return out, skip, err
}

// goreleaser runs GoReleaser, a Go module in a fixed version, and returns its artefacts, sorted by path.
func (r *release) goreleaser(module string, chosen []string) ([]packed, error) {
	text, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		return nil, err
	}
	text, skip, err := config(text, chosen)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(r.prepared, "goreleaser.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	// A snapshot publishes nothing and uses our version.
	args := []string{"run", module, "release", "--snapshot", "--config", file}
	if skip != nil {
		args = append(args, "--skip="+strings.Join(skip, ","))
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(cmd.Environ(), "GOOS=", "GOARCH=", "GOFLAGS=-trimpath", "TZ=UTC", "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.at.Unix(), 10),
		"RELEASE_VERSION="+r.version, "RELEASE_DATE="+r.at.Format(time.RFC3339), "RELEASE_TAGS="+r.tags, "RELEASE_AGENT_TAGS="+r.agentTags)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("GoReleaser: %w", err)
	}
	list, err := os.ReadFile(filepath.Join(r.out, "goreleaser", "artifacts.json"))
	if err != nil {
		return nil, err
	}
	var made []packed
	err = json.Unmarshal(list, &made)
	slices.SortFunc(made, func(a, b packed) int { return strings.Compare(a.Path, b.Path) })
	return made, err
}

// collect adds the artefacts of GoReleaser to the release, and the programs to images.
func (r *release) collect(made []packed) error {
	for _, a := range made {
		if a.Type == "Metadata" {
			continue
		}
		data, err := os.ReadFile(a.Path)
		if err != nil {
			return err
		}
		switch a.Type {
		case "Binary":
			if a.Goos != "linux" {
				continue
			}
			err = r.inImage(a, data)
		case "Archive":
			if len(data) > most {
				return fmt.Errorf("%s has %d bytes, more than %d", a.Name, len(data), most)
			}
			err = r.write(a.Name, data)
			if a.Goos == "windows" {
				r.windows = append(r.windows, archive{a.Goarch, a.Name, r.made[a.Name]})
			}
		default:
			err = r.write(a.Name, data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	return nil
}

// unit writes the systemd unit of the agent for packages, with the program in /usr/bin.
func (r *release) unit() error {
	unit, err := os.ReadFile("deploy/nodetriage-agent.service")
	text := strings.ReplaceAll(string(unit), "/usr/local/bin/", "/usr/bin/")
	return errors.Join(err, os.WriteFile(filepath.Join(r.prepared, "nodetriage-agent.service"), []byte(text), 0o600))
}
