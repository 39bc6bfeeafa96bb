package trial

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// checksums.txt names every file, and a file with one changed bit is rejected by name.
func TestSums(t *testing.T) {
	sums, err := os.ReadFile(made(t, "checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	check := func(dir string) (string, error) {
		cmd := exec.Command("sha256sum", "-c", "--ignore-missing", "checksums.txt")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := check(*dist); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, err := os.ReadDir(*dist)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !f.IsDir() && f.Name() != "checksums.txt" && f.Name() != "provenance.json" && !strings.Contains(string(sums), "  "+f.Name()+"\n") {
			t.Errorf("%s is not in checksums.txt", f.Name())
		}
	}
	changed := made(t, "nodetriage-0*.tgz")
	data, err := os.ReadFile(changed)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	dir := t.TempDir()
	for name, content := range map[string][]byte{"checksums.txt": sums, filepath.Base(changed): data} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := check(dir); err == nil || !strings.Contains(out, filepath.Base(changed)+": FAILED") {
		t.Errorf("a changed byte in %s: %v\n%s", filepath.Base(changed), err, out)
	}
}
