package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/answers/check"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// Rules of the SARIF form (version 2.1.0 of OASIS), for tools that collect findings of checkers: a rule for each cause, check
// or symptom that was found, a result for each finding. The location of a result is its line in a file, or else its API object.
// A finding that is only possible is a note, regardless of its severity. security-severity is not set, because a fault of a node
// is no vulnerability. GitHub needs a relative URI and a line for each result, so an object has a URI such as
// kubernetes/node/worker-1, and line 1.
//
// Limits of GitHub: 25,000 results in a run (5,000 are shown), 25,000 rules, 1,000 locations of a result, 20 tags of a
// rule, 1,024 characters of a description, 10 MB.

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

// Limits of a log.
const (
	sarifResults   = 5000
	sarifLocations = 40
	sarifMessage   = 1024
	sarifBytes     = 10 << 20
	sarifID        = 255
)

type sarifRule struct {
	ID         string         `json:"id"`
	Short      sarifText      `json:"shortDescription"`
	Help       *sarifText     `json:"help,omitempty"`
	HelpURI    string         `json:"helpUri,omitempty"`
	Properties sarifRuleFacts `json:"properties"`
}

type sarifRuleFacts struct {
	Tags []string `json:"tags"`
}

type sarifResult struct {
	Rule       string            `json:"ruleId"`
	Index      int               `json:"ruleIndex"`
	Level      sarifLevel        `json:"level"`
	Message    sarifText         `json:"message"`
	Locations  []sarifLocation   `json:"locations"`
	Prints     map[string]string `json:"partialFingerprints"`
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
	known   map[string]int // the index of a rule
	at      sarifLocation  // of results without a location
	results []sarifResult
}

// newSARIF begins a log. Results without a location of their own are about the source.
func newSARIF(version, source string) *sarif {
	s := &sarif{version: version, rules: []sarifRule{}, known: map[string]int{}, results: []sarifResult{}, at: sarifURI("kubernetes/cluster")}
	if file, ok := strings.CutPrefix(source, "file "); ok {
		s.at = sarifFile(filepath.Base(file), 1)
	}
	return s
}

// rule adds a rule, once. page is the path of its page in the documentation.
func (s *sarif) rule(id, title, help, page string) {
	if _, known := s.known[id]; known {
		return
	}
	s.known[id] = len(s.rules)
	r := sarifRule{ID: shorten(id, sarifID), Short: sarifPlain(shorten(title, sarifMessage/2)), Properties: sarifRuleFacts{[]string{"kubernetes"}}}
	if help != "" {
		text := sarifHelp(help)
		r.Help = &text
	}
	if kebab.MatchString(id) {
		r.HelpURI = sarifDocs + page
	}
	s.rules = append(s.rules, r)
}

// sarifDocs is where the pages of the documentation are.
const sarifDocs = "https://github.com/nodetriage/nodetriage/blob/main/docs/"

// result adds a result. The fingerprint is the same as long as the rule and the subject are, so that a viewer follows the result
// from run to run, even if its evidence changes.
func (s *sarif) result(rule string, level sarifLevel, message string, about []evidence.Subject, at ...sarifLocation) *sarifResult {
	if len(at) == 0 {
		at = []sarifLocation{s.at}
	}
	key := []string{rule}
	for _, on := range about[:min(len(about), 1)] {
		key = append(key, on.String())
	}
	sum := sha256.Sum256([]byte(strings.Join(key, "\x00")))
	s.results = append(s.results, sarifResult{
		Rule: shorten(rule, sarifID), Index: s.known[rule], Level: level, Message: sarifPlain(shorten(message, sarifMessage/2)), Locations: at,
		Prints: map[string]string{"primaryLocationLineHash": hex.EncodeToString(sum[:8]) + ":1"},
	})
	return &s.results[len(s.results)-1]
}

func (s *sarif) write(w io.Writer) error {
	type driver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	type tool struct {
		Driver driver `json:"driver"`
	}
	type run struct {
		Tool    tool              `json:"tool"`
		Results []sarifResult     `json:"results"`
		Left    []sarifInvocation `json:"invocations,omitempty"`
	}
	order := []sarifLevel{sarifError, sarifWarning, sarifNote}
	slices.SortStableFunc(s.results, func(a, b sarifResult) int { return slices.Index(order, a.Level) - slices.Index(order, b.Level) })
	for n := min(len(s.results), sarifResults); ; n /= 2 {
		var b bytes.Buffer
		log := struct {
			Schema  string `json:"$schema"`
			Version string `json:"version"`
			Runs    []run  `json:"runs"`
		}{sarifSchema, "2.1.0", []run{{tool{driver{"nodetriage", s.version, "https://github.com/nodetriage/nodetriage", s.rules}}, s.results[:n], s.left(n)}}}
		if err := JSON(&b, log); err != nil {
			return err
		}
		if b.Len() <= sarifBytes || n == 0 {
			_, err := w.Write(b.Bytes())
			return err
		}
	}
}

// left reports how many results a log of n does not have; the worst are in it.
func (s *sarif) left(n int) []sarifInvocation {
	if n == len(s.results) {
		return nil
	}
	says := sarifText{fmt.Sprintf("%d of %d results are left out; -o json has all.", len(s.results)-n, len(s.results))}
	return []sarifInvocation{{true, []sarifNotice{{"warning", says}}}}
}

type sarifInvocation struct {
	Successful    bool          `json:"executionSuccessful"`
	Notifications []sarifNotice `json:"toolExecutionNotifications"`
}

type sarifNotice struct {
	Level   sarifLevel `json:"level"`
	Message sarifText  `json:"message"`
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

// sarifURI returns a location that is no file.
func sarifURI(path string) sarifLocation {
	l := sarifLocation{Physical: &sarifPhysical{Region: &sarifRegion{1}}}
	l.Physical.Artifact.URI = path
	return l
}

// sarifObject returns an API object, under a URI that is the same in each run: kubernetes/pod/shop/web-0.
func sarifObject(s evidence.Subject) sarifLocation {
	path := "kubernetes"
	for _, part := range []string{strings.ToLower(s.Kind), s.Namespace, s.Name} {
		if part != "" {
			path += "/" + url.PathEscape(part)
		}
	}
	l := sarifURI(path)
	l.Logical = logical([]evidence.Subject{s})
	return l
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
	s := newSARIF(version, r.Source)
	for _, f := range r.Findings {
		s.rule(f.Cause, f.Title, findingHelp(f), "causes/"+f.Cause+".md")
		x := s.result(f.Cause, findingLevel(f), strings.TrimSuffix(f.Summary, ".")+".", f.Subjects, places(f.Evidence, f.Subjects)...)
		x.Properties = map[string]string{"severity": string(f.Severity), "certainty": string(f.Certainty), "confidence": string(f.Certainty)}
		if f.ExplainedBy != "" {
			x.Properties["explainedBy"] = f.ExplainedBy
		}
	}
	for _, open := range openSymptoms(r.Symptoms) {
		s.rule(open.ID, open.Title, "Next: check "+open.Look, "causes/README.md#symptoms")
		s.result(open.ID, sarifWarning, open.Title+": no known cause.", open.subjects, places(open.proofs, open.subjects)...)
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
	return out[:min(len(out), sarifLocations)]
}

// logical names the object, if there is one.
func logical(about []evidence.Subject) []sarifLogical {
	if len(about) == 0 || about[0].IsZero() {
		return nil
	}
	return []sarifLogical{{about[0].String(), "resource"}}
}

// ReviewSARIF writes the findings of a review: a result for each object.
func ReviewSARIF(w io.Writer, r *check.Review, version string) error {
	r = cleaned(r)
	s := newSARIF(version, r.Source)
	level := map[check.Harm]sarifLevel{check.High: sarifError, check.Medium: sarifWarning}
	for _, x := range r.Weaknesses {
		s.rule(x.Check, x.Title, strings.Join(append([]string{x.Fix}, shell.Strings(x.Commands)...), "\n"), "checks.md")
		for i, on := range x.Subjects {
			l := level[x.Harm]
			if l == "" {
				l = sarifNote
			}
			s.result(x.Check, l, x.Title+": "+on.String()+": "+x.Details[i]+".", []evidence.Subject{on}, sarifObject(on))
		}
	}
	return s.write(w)
}
