package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// everywhere has an archive for each system, with sums that can be told apart.
func everywhere() []archive {
	var out []archive
	for i, target := range targets {
		goos, goarch, _ := strings.Cut(target, "/")
		ending := ".tar.gz"
		if goos == "windows" {
			ending = ".zip"
		}
		out = append(out, archive{goos, goarch, "nodetriage_1.2.3_" + goos + "_" + goarch + ending, strings.Repeat(string(rune('a'+i)), 64)})
	}
	return out
}

// Every manifest names the archives of its systems, each with its own sum.
func TestManifestsNameTheirArchives(t *testing.T) {
	windows := on(everywhere(), "windows")
	bucket, err := scoop("1.2.3", windows)
	if err != nil {
		t.Fatal(err)
	}
	files, err := winget("1.2.3", windows, time.Unix(0, 0).UTC())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct {
		name, text string
		of         []archive
	}{
		{"homebrew", homebrew("1.2.3", everywhere()), on(everywhere(), "linux", "darwin")},
		{"scoop", string(bucket), windows},
		{"winget", string(files["nodetriage.nodetriage.installer.yaml"]), windows},
		{"krew", krewManifest("1.2.3", everywhere()), everywhere()},
	} {
		for _, a := range everywhere() {
			found := strings.Contains(m.text, page+"/releases/download/v1.2.3/"+a.file)
			want := len(on(m.of, a.goos)) > 0
			if found != want {
				t.Errorf("%s: names %s: %t, want %t", m.name, a.file, found, want)
			}
			// The sum stands beside its address: before it or after, but nearer than that of any other.
			if want && !strings.Contains(strings.ToLower(around(m.text, a.file)), a.sha256) {
				t.Errorf("%s: the sum of %s does not stand beside it:\n%s", m.name, a.file, around(m.text, a.file))
			}
		}
	}
}

// around are the lines about the one with a word.
func around(text, word string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.Contains(line, word) {
			return strings.Join(lines[max(0, i-2):min(len(lines), i+2)], "\n")
		}
	}
	return ""
}

// The formula has as many ends as blocks, and what its audit asks of a description.
func TestHomebrewForm(t *testing.T) {
	text := homebrew("1.2.3", everywhere())
	opened := len(regexp.MustCompile(`(?m)^\s*(class|def)\b| do$`).FindAllString(text, -1))
	ended := len(regexp.MustCompile(`(?m)^\s*end$`).FindAllString(text, -1))
	if opened != ended {
		t.Errorf("%d blocks begin and %d end:\n%s", opened, ended, text)
	}
	if len(short) > 80 || strings.HasSuffix(short, ".") || strings.HasPrefix(short, "A ") {
		t.Errorf("description %q: 80 characters at most, no article, no stop", short)
	}
}

// Scoop asks for these fields, and finds its archives anew by a pattern that must fit this release.
func TestScoopForm(t *testing.T) {
	data, err := scoop("1.2.3", on(everywhere(), "windows"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Version, Homepage, License string
		Architecture               map[string]struct{ URL, Hash string }
		Autoupdate                 struct {
			Architecture map[string]struct{ URL string }
		}
	}
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if m.Version != "1.2.3" || m.Homepage == "" || m.License != "Apache-2.0" || len(m.Architecture) != 2 {
		t.Errorf("manifest is not complete:\n%s", data)
	}
	for arch, now := range m.Architecture {
		if next := strings.ReplaceAll(m.Autoupdate.Architecture[arch].URL, "$version", "1.2.3"); next != now.URL {
			t.Errorf("%s: a new version is looked for at %s, this one is at %s", arch, next, now.URL)
		}
	}
}

// winget wants three files about one package and version, and sums in capitals.
func TestWingetForm(t *testing.T) {
	files, err := winget("1.2.3", on(everywhere(), "windows"), time.Unix(0, 0).UTC())
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for name, data := range files {
		var m struct {
			PackageIdentifier, PackageVersion, ManifestType, ManifestVersion, ReleaseDate string
			Installers                                                                    []struct{ Architecture, InstallerSha256 string }
		}
		if err := yaml.UnmarshalStrict(data, &map[string]any{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := yaml.Unmarshal(data, &m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m.PackageIdentifier != "nodetriage.nodetriage" || m.PackageVersion != "1.2.3" || m.ManifestVersion == "" {
			t.Errorf("%s is not complete:\n%s", name, data)
		}
		kinds[m.ManifestType] = true
		for _, i := range m.Installers {
			if i.InstallerSha256 != strings.ToUpper(i.InstallerSha256) {
				t.Errorf("%s: sum %s is not in capitals", name, i.InstallerSha256)
			}
		}
		if m.ManifestType == "installer" && len(m.Installers) != 2 {
			t.Errorf("%s: %d installers, want those of two architectures", name, len(m.Installers))
		}
	}
	if !kinds["version"] || !kinds["installer"] || !kinds["defaultLocale"] {
		t.Errorf("kinds of manifests are %v", kinds)
	}
}

// A version without a tag is one that Helm, krew and packages accept: a commit of digits alone is none.
func TestSemantic(t *testing.T) {
	for described, want := range map[string]string{
		"012345678901": "0.0.0-g012345678901", "789c177ab04c-dirty": "0.0.0-g789c177ab04c-dirty",
		"v1.2.3": "1.2.3", "v1.2.3-4-g789c177ab04c": "1.2.3-4-g789c177ab04c",
	} {
		if got := semantic(described); got != want {
			t.Errorf("semantic(%q) = %q, want %q", described, got, want)
		}
	}
}
