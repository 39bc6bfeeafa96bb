package agent

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// unitDirs are the unit folders of systemd. The first file of a name wins (systemd.unit(5)).
var unitDirs = []string{"/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"}

// unitsBeside are other units that matter: they change packet filter rules or restrict programs.
var unitsBeside = []string{"iptables.service", "nftables.service", "apparmor.service"}

// unitSetup reads unit files, drop-ins, and the links that enable units.
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

// unit adds one file. A link to /dev/null masks the unit: systemd does not start it.
func (s *setupReader) unit(name string) {
	if target, err := s.link(name); err == nil && target == "/dev/null" {
		s.add(nodereport.SetupFile{Path: name, Area: nodereport.SetupUnits, Changed: s.linked(name)}, values{"masked": "yes"})
		return
	}
	s.file(nodereport.SetupUnits, name, sections)
}

// dropIns adds the drop-ins of a unit. The first file of a name wins.
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

// enabled adds the .wants folders of targets.
func (s *setupReader) enabled() {
	entries, _ := s.h.list(unitDirs[0]) // without the folder no unit is enabled
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

// processFlags adds the flags of the running kubelet that are in no file.
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

// link returns the target of a link of the node.
func (s *setupReader) link(name string) (string, error) {
	p, err := s.h.path(path.Dir(name))
	if err != nil {
		return "", err
	}
	return os.Readlink(filepath.Join(p, path.Base(name)))
}
