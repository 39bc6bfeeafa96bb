package main

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// module is a part of a program.
type module struct {
	path, version string
	sum           string // of go.sum, h1: and base64
	grant         grant
}

// linkedInto returns the modules of a program, as go version -m prints them.
func linkedInto(info *buildinfo.BuildInfo, grants map[string]grant) ([]module, error) {
	// The standard library is part of every program, but not in its list of modules.
	list := []module{{path: "std", version: strings.TrimPrefix(info.GoVersion, "go"), grant: grants["std"]}}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		g, ok := grants[d.Path+"@"+d.Version]
		if !ok {
			return nil, fmt.Errorf("module %s %s of %s is not among those of its packages: run go mod download", d.Path, d.Version, info.Path)
		}
		list = append(list, module{path: d.Path, version: d.Version, sum: d.Sum, grant: g})
	}
	return list, nil
}

// grantsOf reads the licences of all modules that packages need on a system. The error names every module with a licence that
// is not allowed.
func grantsOf(goos, goarch, tags string, packages ...string) (map[string]grant, error) {
	args := append([]string{"list", "-deps", "-json=Module", "-tags", tags}, packages...)
	cmd := exec.Command("go", args...)
	cmd.Env = append(cmd.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %s: %w", goos, err)
	}
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	std, err := grantOf(root)
	if err != nil {
		return nil, fmt.Errorf("standard library in %s: %w", root, err)
	}
	grants := map[string]grant{"std": std}
	var bad []error
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return grants, errors.Join(bad...)
		} else if err != nil {
			return nil, err
		}
		m := p.Module
		if m == nil || m.Main {
			continue
		}
		id := m.Path + "@" + m.Version
		if _, ok := grants[id]; ok {
			continue
		}
		g, err := grantOf(m.Dir)
		if err != nil {
			bad = append(bad, fmt.Errorf("%s: %w", id, err))
		}
		grants[id] = g
	}
}
