package trial

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each manifest names the archives of its systems at the address of the release, each next to its checksum.
func TestManifestsNameTheirArchives(t *testing.T) {
	sums, err := os.ReadFile(made(t, "checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	archives := regexp.MustCompile(`(?m)^(\w{64})  (nodetriage_(\S+)_(linux|darwin|windows)_\w+\.(?:tar\.gz|zip))$`).FindAllStringSubmatch(string(sums), -1)
	if archives == nil {
		t.Fatalf("no archives in\n%s", sums)
	}
	for name, systems := range map[string]string{
		"nodetriage.rb": "linux darwin", "nodetriage.json": "windows", "nodetriage.nodetriage.installer.yaml": "windows", "nodetriage.yaml": "linux darwin windows",
	} {
		found := map[string]bool{}
		text, err := os.ReadFile(filepath.Join(*dist, name))
		for _, a := range archives {
			sum, file, version, system := a[1], a[2], a[3], a[4]
			if !strings.Contains(systems, system) {
				if strings.Contains(string(text), file) {
					t.Errorf("%s names %s", name, file)
				}
				continue
			}
			found[system] = true
			if err != nil {
				t.Fatal(err)
			}
			address := "https://github.com/nodetriage/nodetriage/releases/download/v" + version + "/" + file
			if !strings.Contains(strings.ToLower(around(string(text), address)), sum) {
				t.Errorf("%s: the sum of %s does not stand next to it:\n%s", name, file, around(string(text), address))
			}
		}
		if len(found) == 0 && err == nil {
			t.Errorf("%s is there, and no archive that it could name", name)
		}
	}
}

// around are the line with a word, two before it and four after it: as many as stand between an address and its sum.
func around(text, word string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.Contains(line, word) {
			return strings.Join(lines[max(0, i-2):min(len(lines), i+5)], "\n")
		}
	}
	return ""
}

// The formula has as many ends as blocks, and what its audit asks of a description.
func TestFormula(t *testing.T) {
	data, err := os.ReadFile(made(t, "nodetriage.rb"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	opened := len(regexp.MustCompile(`(?m)^\s*(class|def|if)\b| do$`).FindAllString(text, -1))
	ended := len(regexp.MustCompile(`(?m)^\s*end$`).FindAllString(text, -1))
	if opened != ended {
		t.Errorf("%d blocks begin and %d end:\n%s", opened, ended, text)
	}
	desc := regexp.MustCompile(`desc "(.*)"`).FindStringSubmatch(text)
	if desc == nil || len(desc[1]) > 80 || strings.HasSuffix(desc[1], ".") || strings.HasPrefix(desc[1], "A ") {
		t.Errorf("description %q: 80 characters at most, no article, no stop", desc)
	}
}
