package agent

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// unitDirs are where systemd looks for units; of two files the first counts (systemd.unit(5)).
var unitDirs = []string{"/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"}

// unitsBeside are further units whose files matter: they change rules for packets and what programs may do.
var unitsBeside = []string{"iptables.service", "nftables.service", "apparmor.service"}

// unitSetup reads the files of units, their drop-ins, and what makes systemd start them.
func unitSetup(s *setupReader) {
	dirs := unitDirs
	if _, err := s.link("/lib"); err == nil { // to /usr/lib
		dirs = dirs[:len(dirs)-1]
	}
	for _, unit := range slices.Concat(watchedUnits, unitsBeside) {
		for _, dir := range dirs {
			s.unit(path.Join(dir, unit))
		}
		s.dropIns(dirs, unit+".d")
	}
	s.enabled()
	for _, name := range []string{"/etc/systemd/system.conf", "/etc/systemd/logind.conf"} {
		s.file(nodereport.SetupUnits, name, sections)
		s.folder(nodereport.SetupUnits, name+".d", sections, ".conf")
	}
}

// unit adds one file. One that leads to nothing masks the unit: systemd does not start it.
func (s *setupReader) unit(name string) {
	if target, err := s.link(name); err == nil && target == "/dev/null" {
		s.add(nodereport.SetupFile{Path: name, Area: nodereport.SetupUnits, Changed: s.linked(name)}, values{"masked": "yes"})
		return
	}
	s.file(nodereport.SetupUnits, name, sections)
}

// dropIns adds the files of a unit's folders; of two of one name the first counts.
func (s *setupReader) dropIns(dirs []string, folder string) {
	seen := map[string]bool{}
	for _, dir := range dirs {
		entries, _ := s.h.list(path.Join(dir, folder)) // most units have none
		for _, e := range entries {
			if !seen[e.Name()] && strings.HasSuffix(e.Name(), ".conf") {
				s.file(nodereport.SetupUnits, path.Join(dir, folder, e.Name()), sections)
			}
			seen[e.Name()] = true
		}
	}
}

// enabled adds the folders of links by which targets want units.
func (s *setupReader) enabled() {
	entries, _ := s.h.list(unitDirs[0]) // without the folder nothing is enabled
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".wants") && !strings.HasSuffix(e.Name(), ".requires") {
			continue
		}
		dir := path.Join(unitDirs[0], e.Name())
		units, err := s.h.list(dir)
		f := nodereport.SetupFile{Path: dir, Area: nodereport.SetupUnits, Changed: s.changed(dir)}
		if err != nil {
			f.Unread = why(err)
		}
		found := values{}
		for _, u := range units {
			found[u.Name()] = "enabled"
		}
		s.add(f, found)
	}
}

// processFlags adds the flags of the kubelet that runs which stand in no file that was read.
func processFlags(s *setupReader) {
	k := s.h.kubelet()
	if k.pid == 0 {
		return
	}
	var known strings.Builder
	for _, f := range s.out.Files {
		for name, v := range f.Settings {
			known.WriteString(name + " " + v + "\n")
		}
	}
	found := values{}
	for name, v := range k.flags {
		if !strings.Contains(known.String(), "--"+name) {
			found["--"+name] = v
		}
	}
	s.table(nodereport.SetupKubelet, "process kubelet", found)
}

// link is where a link of the node leads.
func (s *setupReader) link(name string) (string, error) {
	p, err := s.h.path(path.Dir(name))
	if err != nil {
		return "", err
	}
	return os.Readlink(filepath.Join(p, path.Base(name)))
}
