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

// fewSettings is of how many settings a file is shown that only one side has.
const fewSettings = 3

// files are those of a setup by their paths, in which what is a node's own stands for itself.
func files(r *nodereport.Report, same *sameness) map[string]*nodereport.SetupFile {
	out := make(map[string]*nodereport.SetupFile, len(r.Setup.Files))
	for i := range r.Setup.Files {
		f := &r.Setup.Files[i]
		out[same.of(r, f.Path)] = f
	}
	return out
}

// compareSetups compares the files of a node with those of its twins, setting by setting.
func compareSetups(here *nodereport.Report, twins []*nodereport.Report, same *sameness) []Difference {
	ours := files(here, same)
	theirs := make([]map[string]*nodereport.SetupFile, len(twins))
	paths := map[string]bool{}
	for p := range ours {
		paths[p] = true
	}
	for i, t := range twins {
		theirs[i] = files(t, same)
		for p := range theirs[i] {
			paths[p] = true
		}
	}
	var out []Difference
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		c := fileComparison{path: p, same: same, here: side{here, ours[p]}}
		for i, t := range twins {
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

// tells reports whether a report tells what a file is, or that it is not there: neither it nor its folder was left out.
func tells(r *nodereport.Report, files map[string]*nodereport.SetupFile, name string) bool {
	if f := files[name]; f != nil {
		return f.Unread == ""
	}
	folder := files[path.Dir(name)]
	return !r.Setup.Cut && (folder == nil || folder.Unread == "")
}

// side is a file on one node; nil: it is not there.
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
		return nil // they do not agree
	}
	ours := c.here.file
	switch {
	case ours == nil && first == nil:
		return nil
	case ours == nil || first == nil:
		if strings.HasPrefix(c.path, "process ") { // that it does not run says nothing of how it is called
			return nil
		}
		return []Difference{c.difference("", loneFile(ours), loneFile(first))}
	case ours.Error != first.Error && (ours.Error == "" || first.Error == ""):
		return []Difference{c.difference("", cmp.Or(ours.Error, "can be read"), cmp.Or(first.Error, "can be read"))}
	}
	return c.settings()
}

// loneFile shows a file that only one side has.
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
	return cmp.Or(strings.Join(out, ", "), "there, and empty")
}

// settings compares those of a file that both have.
func (c *fileComparison) settings() []Difference {
	names := map[string]bool{}
	read := func(s side) map[string]string { // name, as it is the same on all nodes, to the name here
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

// value is a value as it stands there, and as it is on all nodes with the same setup.
type value struct{ text, normal string }

// setting is a setting of a file, and whether the file tells it: one of which only a part was kept says nothing of what is missing.
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
