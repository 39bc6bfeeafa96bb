package main

import (
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// winget requires three files about one package and version, and a checksum for each archive, in capitals.
func TestWinget(t *testing.T) {
	archives := []archive{{"amd64", "a.zip", strings.Repeat("a", 64)}, {"arm64", "b.zip", strings.Repeat("b", 64)}}
	files, err := winget("1.2.3", archives, time.Unix(0, 0).UTC())
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for name, data := range files {
		var m struct {
			PackageIdentifier, PackageVersion, ManifestType, ManifestVersion string
			Installers                                                       []struct{ Architecture, InstallerUrl, InstallerSha256 string }
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
		if m.ManifestType == "installer" && len(m.Installers) != len(archives) {
			t.Errorf("%s: %d installers, want those of two architectures", name, len(m.Installers))
		}
		for i, of := range m.Installers {
			if of.InstallerUrl != page+"/releases/download/v1.2.3/"+archives[i].file || of.InstallerSha256 != strings.ToUpper(archives[i].sha256) {
				t.Errorf("%s: installer %v, want %v", name, of, archives[i])
			}
		}
	}
	if !kinds["version"] || !kinds["installer"] || !kinds["defaultLocale"] {
		t.Errorf("kinds of manifests are %v", kinds)
	}
}
