package main

import (
	"crypto/md5" //nolint:gosec // the form of dpkg
	"fmt"
	"regexp"
	"strings"
)

// since matches what git describe adds for the commits after a tag.
var since = regexp.MustCompile(`-(\d+)-g([0-9a-f]+)`)

// debVersion is a version as Debian orders them: a candidate comes before its release, and what
// was committed after a release comes after it.
func debVersion(version string) string {
	return strings.ReplaceAll(since.ReplaceAllString(version, "+$1.g$2"), "-", "~")
}

// scripts of dpkg: the unit runs after the installation, and nothing of it stays after a purge.
const (
	afterInstall = `#!/bin/sh
set -e
[ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
systemctl enable nodetriage-agent.service
systemctl restart nodetriage-agent.service
`
	beforeRemove = `#!/bin/sh
set -e
[ "$1" = remove ] && [ -d /run/systemd/system ] || exit 0
systemctl disable --now nodetriage-agent.service
`
	afterRemove = `#!/bin/sh
set -e
[ "$1" != purge ] || rm -rf /var/log/nodetriage
[ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
`
)

// control is what dpkg must know of the agent's package.
func control(a artefact, files []entry) []entry {
	size := 0
	var sums strings.Builder
	for _, f := range files {
		size += len(f.data)
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.data), f.name) //nolint:gosec // the form of dpkg
	}
	text := fmt.Sprintf(`Package: nodetriage-agent
Version: %s
Architecture: %s
Maintainer: nodetriage maintainers <https://github.com/nodetriage/nodetriage>
Installed-Size: %d
Section: admin
Priority: optional
Homepage: https://github.com/nodetriage/nodetriage
Description: keeps a report of this Kubernetes node for nodetriage
 It looks at the machine again and again, writes what it sees to
 /var/log/nodetriage and serves it on the loopback. It changes nothing.
`, debVersion(a.version), a.goarch, (size+1023)/1024)
	return []entry{
		{name: "control", mode: 0o644, data: []byte(text)}, {name: "md5sums", mode: 0o644, data: []byte(sums.String())},
		{name: "postinst", mode: 0o755, data: []byte(afterInstall)}, {name: "prerm", mode: 0o755, data: []byte(beforeRemove)},
		{name: "postrm", mode: 0o755, data: []byte(afterRemove)},
	}
}
