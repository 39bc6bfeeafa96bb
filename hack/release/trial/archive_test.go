package trial

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The archive contains the program, its texts, completions and manual pages; the SBOMs name every module of it.
func TestArchive(t *testing.T) {
	file := made(t, "nodetriage_*_"+here()+".tar.gz")
	dir := unpack(t, file)
	program := filepath.Join(dir, "nodetriage")
	runsExample(t, exec.Command(program, "diagnose", "--example=runtime-hang"))
	for _, name := range []string{"LICENSE", "NOTICES", "completions/_nodetriage", "completions/nodetriage.bash", "completions/nodetriage.fish", "completions/nodetriage.ps1", "man/man1/nodetriage.1", "man/man1/nodetriage-drain.1"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	does(t, exec.Command("bash", "-n", filepath.Join(dir, "completions", "nodetriage.bash")))
	stem := strings.TrimSuffix(file, ".tar.gz")
	var cdx struct {
		Components []struct{ Name, Version string }
	}
	var spdx struct {
		Packages []struct{ Name, VersionInfo string }
	}
	readJSON(t, stem+".cdx.json", &cdx)
	readJSON(t, stem+".spdx.json", &spdx)
	parts := map[string]int{}
	for _, c := range cdx.Components {
		parts[c.Name+" "+c.Version]++
	}
	for _, p := range spdx.Packages {
		parts[p.Name+" "+p.VersionInfo]++
	}
	for _, line := range strings.Split(does(t, exec.Command("go", "version", "-m", program)), "\n") {
		if f := strings.Fields(line); len(f) >= 3 && f[0] == "dep" && parts[f[1]+" "+f[2]] != 2 {
			t.Errorf("module %s %s is not in both lists of parts", f[1], f[2])
		}
	}
}

func readJSON(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("read %s: %v", file, err)
	}
}
