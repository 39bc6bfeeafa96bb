package triage

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// fewSettings is how many settings are shown of a file that only one side has.
const fewSettings = 3

// files returns the setup files of a report by path, with placeholders for what is specific to the node.
func files(r *nodereport.Report, same *sameness) map[string]*nodereport.SetupFile {
	out := make(map[string]*nodereport.SetupFile, len(r.Setup.Files))
	for i := range r.Setup.Files {
		f := &r.Setup.Files[i]
		out[same.of(r, f.Path)] = f
	}
	return out
}

// compareSetups compares the files of a node with those of its peers, setting by setting.
func compareSetups(here *nodereport.Report, peers []*nodereport.Report, same *sameness) []Difference {
	ours := files(here, same)
	theirs := make([]map[string]*nodereport.SetupFile, len(peers))
	paths := map[string]bool{}
	for p := range ours {
		paths[p] = true
	}
	for i, t := range peers {
		theirs[i] = files(t, same)
		for p := range theirs[i] {
			paths[p] = true
		}
	}
	var out []Difference
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		c := fileComparison{path: p, same: same, here: side{here, ours[p]}}
		for i, t := range peers {
			if tells(t, theirs[i], p) {
				c.there = append(c.there, side{t, theirs[i][p]})
			}
		}
		if len(c.there) > 0 && tells(here, ours, p) {
			out = append(out, c.differences()...)
		}
	}
	return out
}

// tells reports whether the report contains the file or proves its absence: neither the file nor its folder was skipped.
func tells(r *nodereport.Report, files map[string]*nodereport.SetupFile, name string) bool {
	if f := files[name]; f != nil {
		return f.Unread == ""
	}
	folder := files[path.Dir(name)]
	return !r.Setup.Cut && (folder == nil || folder.Unread == "")
}

// side is a file on one node; nil: not present.
type side struct {
	report *nodereport.Report
	file   *nodereport.SetupFile
}

type fileComparison struct {
	path  string
	same  *sameness
	here  side
	there []side
}

func (c *fileComparison) differences() []Difference {
	first := c.there[0].file
	if slices.ContainsFunc(c.there, func(t side) bool { return (t.file == nil) != (first == nil) }) {
		return nil
	}
	ours := c.here.file
	switch {
	case ours == nil && first == nil:
		return nil
	case ours == nil || first == nil:
		if strings.HasPrefix(c.path, "process ") { // a process that is not running says nothing about its arguments
			return nil
		}
		return []Difference{c.difference("", loneFile(ours), loneFile(first))}
	case ours.Error != first.Error && (ours.Error == "" || first.Error == ""):
		return []Difference{c.difference("", cmp.Or(ours.Error, "valid"), cmp.Or(first.Error, "valid"))}
	}
	return c.settings()
}

// loneFile returns what is shown for a file that only one side has.
func loneFile(f *nodereport.SetupFile) string {
	if f == nil {
		return none
	}
	if f.Error != "" {
		return f.Error
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(f.Settings)) {
		if len(out) == fewSettings {
			return fmt.Sprintf("%s and %d more", strings.Join(out, ", "), len(f.Settings)-fewSettings)
		}
		out = append(out, strings.TrimSuffix(name+"="+f.Settings[name], "="))
	}
	return cmp.Or(strings.Join(out, ", "), "exists, but is empty")
}

// settings compares the settings of a file that both sides have.
func (c *fileComparison) settings() []Difference {
	names := map[string]bool{}
	read := func(s side) map[string]string { // name with placeholders to the name on this node
		out := make(map[string]string, len(s.file.Settings))
		for name := range s.file.Settings {
			key := c.same.of(s.report, name)
			out[key], names[key] = name, true
		}
		return out
	}
	ours := read(c.here)
	theirs := make([]map[string]string, len(c.there))
	for i, t := range c.there {
		theirs[i] = read(t)
	}
	var out []Difference
	for _, key := range slices.Sorted(maps.Keys(names)) {
		here, told := c.setting(c.here, ours, key)
		if !told {
			continue
		}
		there, agree, known := value{}, true, 0
		for i, t := range c.there {
			v, told := c.setting(t, theirs[i], key)
			if !told {
				continue
			}
			if known++; known == 1 {
				there = v
			}
			agree = agree && v.normal == there.normal
		}
		if known > 0 && agree && here.normal != there.normal {
			out = append(out, c.difference(key, here.text, there.text))
		}
	}
	return out
}

// value is a value as written in the file, and with placeholders.
type value struct{ text, normal string }

// setting returns a setting of a file, and whether it is known. In a truncated file a missing setting is unknown.
func (c *fileComparison) setting(s side, names map[string]string, key string) (value, bool) {
	name, there := names[key]
	switch {
	case !there && s.file.Cut:
		return value{}, false
	case !there:
		return value{none, "\x00"}, true
	}
	v := s.file.Settings[name]
	return value{cmp.Or(v, "empty"), c.same.of(s.report, v)}, true
}

func (c *fileComparison) difference(name, here, there string) Difference {
	area, since := "", time.Time{}
	if f := c.there[0].file; f != nil {
		area = f.Area
	}
	if f := c.here.file; f != nil {
		area, since = f.Area, f.Changed
	}
	d := Difference{Area: area, What: strings.TrimSpace(c.path + " " + name), Here: here, There: there}
	if !since.IsZero() {
		d.Since = &since
	}
	return d
}
