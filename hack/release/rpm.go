package main

import (
	"bytes"
	"time"

	"github.com/google/rpmpack"
)

// rpmArch has the names of architectures as rpm says them.
var rpmArch = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// scripts of rpm, whose argument is the number of versions that are left: the unit runs after the installation, and
// nothing of it stays after the last version went.
const (
	rpmAfterInstall = `[ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
systemctl enable nodetriage-agent.service
systemctl restart nodetriage-agent.service
`
	rpmBeforeRemove = `[ "$1" -eq 0 ] && [ -d /run/systemd/system ] || exit 0
systemctl disable --now nodetriage-agent.service
`
	rpmAfterRemove = `[ "$1" -ne 0 ] || rm -rf /var/log/nodetriage
[ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
`
)

// redhat is a package of the agent for systems with rpm.
func redhat(a artefact, files []entry, at time.Time) ([]byte, error) {
	p, err := rpmpack.NewRPM(rpmpack.RPMMetaData{
		Name: "nodetriage-agent", Version: packageVersion(a.version), Release: "1", Arch: rpmArch[a.goarch], Epoch: rpmpack.NoEpoch,
		Summary: agentSummary, Description: agentText, Licence: "Apache-2.0", URL: page, Packager: maintainer,
		BuildHost: "localhost", BuildTime: at, Compressor: "gzip",
	})
	if err != nil {
		return nil, err
	}
	p.AddPostin(rpmAfterInstall)
	p.AddPreun(rpmBeforeRemove)
	p.AddPostun(rpmAfterRemove)
	for _, f := range files {
		p.AddFile(rpmpack.RPMFile{Name: "/" + f.name, Body: f.data, Mode: uint(f.mode), Owner: "root", Group: "root", MTime: uint32(at.Unix())}) //nolint:gosec // until 2106
	}
	// Its folder goes with it.
	p.AddFile(rpmpack.RPMFile{Name: "/usr/share/doc/nodetriage-agent", Mode: 0o40755, Owner: "root", Group: "root", MTime: uint32(at.Unix())}) //nolint:gosec // until 2106
	var b bytes.Buffer
	err = p.Write(&b)
	return b.Bytes(), err
}
