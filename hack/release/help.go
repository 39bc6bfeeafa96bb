package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// shells are those that nodetriage completes for, with the names of files that they look for.
var shells = []struct{ name, file string }{
	{"bash", "nodetriage.bash"}, {"fish", "nodetriage.fish"}, {"powershell", "nodetriage.ps1"}, {"zsh", "_nodetriage"},
}

// help makes what goes along with nodetriage everywhere: completions of shells, which the program itself prints, and
// manual pages, which a program of its own makes. Both are built for this computer.
func (r *release) help() error {
	program := filepath.Join(r.work, "here", "nodetriage")
	if err := r.compile(programs[0], program, "", "", ""); err != nil {
		return err
	}
	for _, shell := range shells {
		text, err := exec.Command(program, "completion", shell.name).Output()
		if err != nil {
			return fmt.Errorf("completion for %s: %w", shell.name, err)
		}
		r.completions = append(r.completions, entry{name: "completions/" + shell.file, mode: 0o644, data: text})
	}
	maker, dir := filepath.Join(r.work, "here", "manpages"), filepath.Join(r.work, "man")
	if err := r.compile(programs[0], maker, "", "", r.tags+",manpages"); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	cmd := exec.Command(maker, dir)
	cmd.Env = append(cmd.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.at.Unix(), 10), "TZ=UTC")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("manual pages: %w", err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		return err
	}
	slices.Sort(pages)
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		r.manpages = append(r.manpages, entry{name: "man/man1/" + filepath.Base(page), mode: 0o644, data: data})
	}
	return nil
}
