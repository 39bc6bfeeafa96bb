package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licences lists the allowed licences of dependencies, by SPDX name, each with words that only its text contains. The order
// matters, because a text of BSD-3-Clause contains all words of BSD-2-Clause.
var licences = []struct {
	name  string
	words *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`(?i)Apache License,?\s+Version 2\.0`)},
	{"MPL-2.0", regexp.MustCompile(`(?i)Mozilla Public License,?\s+(Version|v\.?)\s*2\.0`)},
	{"BSD-3-Clause", regexp.MustCompile(`(?is)Redistribution and use in source and binary forms.*(Neither the name|names? of (its|the|any) .{0,40}contributors)`)},
	{"BSD-2-Clause", regexp.MustCompile(`(?i)Redistribution and use in source and binary forms`)},
	{"ISC", regexp.MustCompile(`(?i)Permission to use, copy, modify, and(/or)? distribute this software for any`)},
	{"MIT", regexp.MustCompile(`(?i)Permission is hereby granted, free of charge`)},
}

// forbidden matches titles and grants of licences that are not allowed. A text with a match is rejected even if it contains an
// allowed licence. An allowed licence that only mentions another, as the Mozilla licence mentions the GNU ones, has no such
// line.
var forbidden = regexp.MustCompile(`(?im)^\s*(GNU (AFFERO |LESSER |LIBRARY )?GENERAL PUBLIC LICENSE|Business Source License|Server Side Public License|Elastic License|Commons Clause|Common Development and Distribution License|Eclipse Public License)`)

// licenceOf returns the licence of a text, or an error if it is not allowed for a dependency.
func licenceOf(text string) (string, error) {
	if words := forbidden.FindString(text); words != "" {
		return "", fmt.Errorf("has the licence %q", strings.TrimSpace(words))
	}
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "\n//", "\n")), " ")
	for _, l := range licences {
		if l.words.MatchString(text) {
			return l.name, nil
		}
	}
	return "", errors.New("has a licence that is none of the list")
}

// licenceFile matches files with a licence or a notice that must ship with the program.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-_.].*)?$`)

// grant is the licence of a module according to its folder.
type grant struct {
	licence string   // SPDX names, joined by AND if files differ
	files   []string // names of the files, in order
	texts   []string // their texts
}

// grantOf reads the licence files in the root folder of a module's source.
func grantOf(dir string) (grant, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return grant{}, err
	}
	var g grant
	var names []string
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return grant{}, err
		}
		g.files, g.texts = append(g.files, e.Name()), append(g.texts, string(data))
		if low := strings.ToLower(e.Name()); strings.HasPrefix(low, "notice") || strings.HasPrefix(low, "patents") {
			continue
		}
		name, err := licenceOf(string(data))
		if err != nil {
			return grant{}, fmt.Errorf("%s %w", e.Name(), err)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return grant{}, errors.New("has no licence file in its top folder")
	}
	slices.Sort(names)
	g.licence = strings.Join(names, " AND ")
	return g, nil
}

// notices returns one text with the licences of all modules.
func notices(modules []module) string {
	var b strings.Builder
	b.WriteString("Modules that are part of this program, with their licences.\n")
	for _, m := range modules {
		fmt.Fprintf(&b, "\n%s\n%s %s: %s\n", strings.Repeat("=", 80), m.path, m.version, m.grant.licence)
		for i, text := range m.grant.texts {
			fmt.Fprintf(&b, "\n--- %s ---\n\n%s\n", m.grant.files[i], strings.TrimSpace(text))
		}
	}
	return b.String()
}
