package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// shells lists the supported shells, with the file names of their completions.
var shells = []struct{ name, file string }{
	{"bash", "nodetriage.bash"}, {"fish", "nodetriage.fish"}, {"powershell", "nodetriage.ps1"}, {"zsh", "_nodetriage"},
}

// program returns the path of nodetriage for this computer.
func (r *release) program() string { return filepath.Join(r.prepared, "nodetriage") }

// help prepares files that ship with nodetriage everywhere: shell completions, which nodetriage prints, and manual pages, which
// a separate program writes.
func (r *release) help() error {
	if err := r.compile(r.program(), r.tags); err != nil {
		return err
	}
	for _, shell := range shells {
		text, err := exec.Command(r.program(), "completion", shell.name).Output()
		if err != nil {
			return fmt.Errorf("completion for %s: %w", shell.name, err)
		}
		if err := os.WriteFile(filepath.Join(r.prepared, "completions", shell.file), text, 0o600); err != nil {
			return err
		}
	}
	maker := filepath.Join(r.prepared, "manpages")
	if err := r.compile(maker, r.tags+",manpages"); err != nil {
		return err
	}
	cmd := exec.Command(maker, filepath.Join(r.prepared, "man", "man1"))
	cmd.Env = append(cmd.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.at.Unix(), 10), "TZ=UTC")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("manual pages: %w", err)
	}
	return nil
}
