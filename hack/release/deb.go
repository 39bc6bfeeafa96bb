package main

import (
	"bytes"
	"crypto/md5" //nolint:gosec // the form of dpkg
	"fmt"
	"path"
	"strings"
	"time"
)

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
Maintainer: %s
Installed-Size: %d
Section: admin
Priority: optional
Homepage: %s
Description: %s
 %s
`, packageVersion(a.version), a.goarch, maintainer, (size+1023)/1024, page, agentSummary, strings.ReplaceAll(agentText, "\n", "\n "))
	return []entry{
		{name: "control", mode: 0o644, data: []byte(text)}, {name: "md5sums", mode: 0o644, data: []byte(sums.String())},
		{name: "postinst", mode: 0o755, data: []byte(afterInstall)}, {name: "prerm", mode: 0o755, data: []byte(beforeRemove)},
		{name: "postrm", mode: 0o755, data: []byte(afterRemove)},
	}
}

// folders puts before the files of a package the folders that they lie in, as dpkg wants them.
func folders(entries []entry) []entry {
	var out []entry
	seen := map[string]bool{".": true, "/": true}
	var add func(dir string)
	add = func(dir string) {
		if seen[dir] {
			return
		}
		add(path.Dir(dir))
		seen[dir] = true
		out = append(out, entry{name: "./" + dir + "/", mode: 0o755})
	}
	for _, e := range entries {
		add(path.Dir(e.name))
		out = append(out, entry{name: "./" + e.name, mode: e.mode, data: e.data})
	}
	return out
}

// deb is a package of Debian: an ar archive with a version, a tar of what dpkg must know, and a tar of the files.
func deb(control, files []entry, at time.Time) ([]byte, error) {
	meta, err := tarball(folders(control), at)
	if err != nil {
		return nil, err
	}
	data, err := tarball(folders(files), at)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, m := range []entry{{name: "debian-binary", data: []byte("2.0\n")}, {name: "control.tar.gz", data: meta}, {name: "data.tar.gz", data: data}} {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", m.name, at.Unix(), 0, 0, "100644", len(m.data))
		b.Write(m.data)
		if len(m.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes(), nil
}
