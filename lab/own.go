//go:build unix

package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// BuildOwn makes a program of this project, of the package in that folder, and returns its path in dir. The go command finds
// what was made last time in the cache, and links it again only where the source has changed since: else every test would wait
// for that, ten seconds long on a busy machine.
func BuildOwn(pkg, dir string) (string, error) {
	pkg, err := filepath.Abs(pkg)
	if err != nil {
		return "", err
	}
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(pkg))
	kept := filepath.Join(cache, "own-"+hex.EncodeToString(sum[:8]), filepath.Base(pkg))
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return "", fmt.Errorf("make cache folder: %w", err)
	}
	unlock, err := lock(kept + ".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	cmd := exec.Command("go", "build", "-C", pkg, "-o", kept, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as what people install
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	program, err := os.ReadFile(kept)
	if err != nil {
		return "", err
	}
	made := filepath.Join(dir, filepath.Base(pkg)) // a copy, for a build in between replaces the other
	return made, os.WriteFile(made, program, 0o755)
}
