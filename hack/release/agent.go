package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// agent makes the archive and the packages of the agent, with its unit.
func (r *release) agent(goarch string) error {
	a, data, err := r.build("nodetriage-agent", programs[1], "nodetriage-agent", "linux", goarch, r.agentTags)
	if err != nil {
		return err
	}
	texts, err := r.texts(a)
	if err != nil {
		return err
	}
	r.inImage(a, data, texts)
	unit, err := os.ReadFile("deploy/nodetriage-agent.service")
	if err != nil {
		return err
	}
	packed, err := tarball(append([]entry{{name: "nodetriage-agent", mode: 0o755, data: data}, {name: "nodetriage-agent.service", mode: 0o644, data: unit}}, texts...), r.at)
	if err := errors.Join(err, r.write(a.id()+".tar.gz", packed)); err != nil {
		return err
	}
	files := installed(data, unit, texts)
	packed, err = deb(control(a, files), files, r.at)
	if err := errors.Join(err, r.write(fmt.Sprintf("nodetriage-agent_%s_%s.deb", packageVersion(r.version), goarch), packed)); err != nil {
		return err
	}
	packed, err = redhat(a, files, r.at)
	return errors.Join(err, r.write(fmt.Sprintf("nodetriage-agent-%s-1.%s.rpm", packageVersion(r.version), rpmArch[goarch]), packed))
}

// installed are the files of the agent's packages, where they lie on a node.
func installed(program, unit []byte, texts []entry) []entry {
	unit = bytes.ReplaceAll(unit, []byte("/usr/local/bin/"), []byte("/usr/bin/"))
	files := []entry{{name: "usr/bin/nodetriage-agent", mode: 0o755, data: program}, {name: "usr/lib/systemd/system/nodetriage-agent.service", mode: 0o644, data: unit}}
	for _, t := range texts {
		files = append(files, entry{name: "usr/share/doc/nodetriage-agent/" + t.name, mode: t.mode, data: t.data})
	}
	return files
}
