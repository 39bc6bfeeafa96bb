package report

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// Rules of the SARIF form (version 2.1.0 of OASIS), for tools that collect findings of checkers: a rule for each cause, check
// or symptom that was found, a result for each finding. The location of a result is its line in a file, or else its API object.
// A finding that is only possible is a note, regardless of its severity.

const sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

type sarifLevel string

const (
	sarifError   sarifLevel = "error"
	sarifWarning sarifLevel = "warning"
	sarifNote    sarifLevel = "note"
)

type sarifText struct {
	Text string `json:"text"`
}

// sarifPlain makes a text in which viewers find no link: [name](url) would be one (section 3.11.6 of the standard).
func sarifPlain(text string) sarifText { return sarifText{sarifEscape.Replace(text)} }

var sarifEscape = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)

// sarifHelp is sarifPlain for lines with commands, which people paste. A line without ]( contains no link and is not changed.
func sarifHelp(lines string) sarifText {
	var out strings.Builder
	for line := range strings.Lines(lines) {
		if strings.Contains(line, "](") {
			line = sarifEscape.Replace(line)
		}
		out.WriteString(line)
	}
	return sarifText{out.String()}
}

type sarifRule struct {
	ID    string     `json:"id"`
	Short sarifText  `json:"shortDescription"`
	Help  *sarifText `json:"help,omitempty"`
}

type sarifResult struct {
	Rule       string            `json:"ruleId"`
	Level      sarifLevel        `json:"level"`
	Message    sarifText         `json:"message"`
	Locations  []sarifLocation   `json:"locations,omitempty"`
	Properties map[string]string `json:"properties,omitempty"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Region *sarifRegion `json:"region,omitempty"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

// sarif collects the only run of a log.
type sarif struct {
	version string
	rules   []sarifRule
	known   map[string]bool
	results []sarifResult
}

func newSARIF(version string) *sarif {
	return &sarif{version: version, rules: []sarifRule{}, known: map[string]bool{}, results: []sarifResult{}}
}

// rule adds a rule, once.
func (s *sarif) rule(id, title, help string) {
	if s.known[id] {
		return
	}
	s.known[id] = true
	r := sarifRule{ID: id, Short: sarifPlain(title)}
	if help != "" {
		text := sarifHelp(help)
		r.Help = &text
	}
	s.rules = append(s.rules, r)
}

func (s *sarif) result(rule string, level sarifLevel, message string, at ...sarifLocation) *sarifResult {
	s.results = append(s.results, sarifResult{Rule: rule, Level: level, Message: sarifPlain(message), Locations: at})
	return &s.results[len(s.results)-1]
}

func (s *sarif) write(w io.Writer) error {
	type driver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	type tool struct {
		Driver driver `json:"driver"`
	}
	type run struct {
		Tool    tool          `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	return JSON(w, struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []run  `json:"runs"`
	}{sarifSchema, "2.1.0", []run{{tool{driver{"nodetriage", s.version, s.rules}}, s.results}}})
}

// sarifFile returns a line of a file; 0 means the file.
func sarifFile(name string, line int) sarifLocation {
	p := &sarifPhysical{}
	p.Artifact.URI = (&url.URL{Path: filepath.ToSlash(name)}).String()
	if line > 0 {
		p.Region = &sarifRegion{line}
	}
	return sarifLocation{Physical: p}
}

func sarifObject(s evidence.Subject) sarifLocation {
	return sarifLocation{Logical: []sarifLogical{{s.String(), "resource"}}}
}

// sarifProof returns the location of a piece of evidence, if it is a line of a file.
func sarifProof(r evidence.Ref) (sarifLocation, bool) {
	line := evidence.LineIn(r.Locator)
	if line == 0 || r.Source == "" {
		return sarifLocation{}, false
	}
	return sarifFile(r.Source, line), true
}

// SARIF writes the findings of a report, and the symptoms that nothing explains.
func SARIF(w io.Writer, r *triage.Report, version string) error {
	r = cleaned(r)
	s := newSARIF(version)
	for _, f := range r.Findings {
		s.rule(f.Cause, f.Title, findingHelp(f))
		x := s.result(f.Cause, findingLevel(f), strings.TrimSuffix(f.Summary, ".")+".", places(f.Evidence, f.Subjects)...)
		x.Properties = map[string]string{"severity": string(f.Severity), "certainty": string(f.Certainty), "confidence": string(f.Certainty)}
		if f.ExplainedBy != "" {
			x.Properties["explainedBy"] = f.ExplainedBy
		}
	}
	for _, open := range openSymptoms(r.Symptoms) {
		s.rule(open.ID, open.Title, "Next: check "+open.Look)
		s.result(open.ID, sarifWarning, open.Title+": no cause in this evidence.", places(open.proofs, open.subjects)...)
	}
	return s.write(w)
}

func findingLevel(f triage.Finding) sarifLevel {
	switch {
	case f.Certainty == triage.Possible || f.Severity == catalog.Info:
		return sarifNote
	case f.Severity == catalog.Warning:
		return sarifWarning
	}
	return sarifError
}

// findingHelp returns the remedies, the least risk first.
func findingHelp(f triage.Finding) string {
	var out []string
	for _, m := range f.Remedies {
		out = append(out, fmt.Sprintf("%s (%s)", m.Title, riskSays(m)))
		out = append(out, shell.Strings(m.Commands)...)
	}
	return strings.Join(out, "\n")
}

// places returns the lines of the evidence. If none is a line of a file, it returns the subjects.
func places(proofs []evidence.Ref, about []evidence.Subject) []sarifLocation {
	var out []sarifLocation
	for _, p := range proofs {
		if l, ok := sarifProof(p); ok {
			l.Logical = logical(about)
			out = append(out, l)
		}
	}
	if len(out) > 0 {
		return out[:min(len(out), mdEvidence)]
	}
	for _, s := range about {
		if !s.IsZero() {
			out = append(out, sarifObject(s))
		}
	}
	return out[:min(len(out), htmlList)]
}

// logical names the object, if there is one.
func logical(about []evidence.Subject) []sarifLogical {
	if len(about) == 0 || about[0].IsZero() {
		return nil
	}
	return sarifObject(about[0]).Logical
}

// ReviewSARIF writes the findings of a review: a result for each object.
func ReviewSARIF(w io.Writer, r *check.Review, version string) error {
	r = cleaned(r)
	s := newSARIF(version)
	level := map[check.Harm]sarifLevel{check.High: sarifError, check.Medium: sarifWarning}
	for _, x := range r.Weaknesses {
		s.rule(x.Check, x.Title, strings.Join(append([]string{x.Fix}, shell.Strings(x.Commands)...), "\n"))
		for i, on := range x.Subjects {
			l := level[x.Harm]
			if l == "" {
				l = sarifNote
			}
			s.result(x.Check, l, x.Title+": "+on.String()+": "+x.Details[i]+".", sarifObject(on))
		}
	}
	return s.write(w)
}
