package main

import (
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

// Texts for catalogues of programs.
const (
	page  = "https://github.com/nodetriage/nodetriage"
	short = "Name the cause why a Kubernetes node does not work"
)

// archive is the download for one architecture.
type archive struct{ goarch, file, sha256 string }

// winget returns the three manifests of the Windows Package Manager, by file name.
func winget(version string, archives []archive, at time.Time) (map[string][]byte, error) {
	const id, form = "nodetriage.nodetriage", "1.9.0"
	var installers []object
	for _, a := range archives {
		installers = append(installers, object{
			"Architecture": map[string]string{"amd64": "x64", "arm64": "arm64"}[a.goarch], "InstallerUrl": page + "/releases/download/v" + version + "/" + a.file, "InstallerSha256": strings.ToUpper(a.sha256),
			"InstallerType": "zip", "NestedInstallerType": "portable",
			"NestedInstallerFiles": []object{{"RelativeFilePath": "nodetriage.exe", "PortableCommandAlias": "nodetriage"}},
		})
	}
	out := map[string][]byte{}
	for _, m := range []struct {
		file, kind string
		says       object
	}{
		{id + ".yaml", "version", object{"DefaultLocale": "en-US"}},
		{id + ".installer.yaml", "installer", object{"ReleaseDate": at.Format(time.DateOnly), "Installers": installers}},
		{id + ".locale.en-US.yaml", "defaultLocale", object{
			"PackageLocale": "en-US", "Publisher": "nodetriage", "PublisherUrl": page, "PackageName": "nodetriage", "PackageUrl": page,
			"License": "Apache-2.0", "LicenseUrl": page + "/blob/main/LICENSE", "ShortDescription": short, "Moniker": "nodetriage", "Tags": []string{"kubernetes", "kubectl", "aks"},
		}},
	} {
		m.says["PackageIdentifier"], m.says["PackageVersion"] = id, version
		m.says["ManifestType"], m.says["ManifestVersion"] = m.kind, form
		text, err := yaml.Marshal(m.says)
		if err != nil {
			return nil, err
		}
		out[m.file] = append([]byte("# yaml-language-server: $schema=https://aka.ms/winget-manifest."+m.kind+"."+form+".schema.json\n"), text...)
	}
	return out, nil
}
