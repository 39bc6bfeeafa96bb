package main

// scoop is the manifest for a bucket of Scoop, on Windows.
func scoop(version string, archives []archive) ([]byte, error) {
	names := map[string]string{"amd64": "64bit", "arm64": "arm64"}
	of, updates := object{}, object{}
	for _, a := range archives {
		of[names[a.goarch]] = object{"url": url(version, a.file), "hash": a.sha256}
		updates[names[a.goarch]] = object{"url": url("$version", "nodetriage_$version_windows_"+a.goarch+".zip")}
	}
	return indented(object{
		"version": version, "description": short, "homepage": page, "license": "Apache-2.0", "architecture": of,
		"bin":        []any{"nodetriage.exe", []string{"nodetriage.exe", "kubectl-nodetriage"}},
		"checkver":   "github",
		"autoupdate": object{"architecture": updates, "hash": object{"url": "$baseurl/checksums.txt"}},
	})
}
