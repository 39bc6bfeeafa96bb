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

// BuildOwn builds a program of this project from the package in that folder, and returns its path in dir. The go
// command uses the cached binary and links it again only after a change of the source. Otherwise every test would wait
// for the link, ten seconds on a busy machine.
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
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // with the flags of a release
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, out)
	}
	program, err := os.ReadFile(kept)
	if err != nil {
		return "", err
	}
	made := filepath.Join(dir, filepath.Base(pkg)) // a copy, because another build may replace the cached file
	return made, os.WriteFile(made, program, 0o755)
}
