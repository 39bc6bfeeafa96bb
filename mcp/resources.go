package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
)

// URIs of the resources.
const (
	causesURI   = "nodetriage://causes"
	causeURI    = "nodetriage://cause/"
	evidenceURI = "nodetriage://evidence/"
)

const (
	markdown = "text/markdown"
	asJSON   = "application/json"
)

// Evidence is one page of the evidence behind a finding.
type Evidence struct {
	Evidence []EvidenceLine `json:"evidence"`
	Left     int            `json:"left"`           // pieces of evidence on later pages
	Next     string         `json:"next,omitempty"` // URI of the next page
}

// EvidenceLine is one piece of evidence.
type EvidenceLine struct {
	Signature string `json:"signature,omitempty"` // the message that it matched; explain_cause explains it
	Untrusted Data   `json:"untrusted"`
}

func (t *tools) addResources(s *sdk.Server) {
	s.AddResource(&sdk.Resource{
		URI: causesURI, Name: "causes", Title: "All causes", MIMEType: markdown,
		Description: "The ids and titles of all causes. Read nodetriage://cause/ID for the page of one.",
	}, t.readCauses)
	s.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: causeURI + "{id}", Name: "cause", Title: "The page of a cause", MIMEType: markdown,
		Description: "The page of a cause or symptom: meaning, checks, fixes, cautions.",
	}, t.readCause)
	s.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: evidenceURI + "{answer}/{finding}/{page}", Name: "evidence", Title: "The evidence behind a finding", MIMEType: asJSON,
		Description: "All evidence behind a finding. Tools return the URI in the field evidence. It is kept for 30 minutes.",
	}, t.readEvidence)
}

func contents(uri, mime, text string) *sdk.ReadResourceResult {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: mime, Text: text}}}
}

func (t *tools) readCauses(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	k, err := t.Knowledge()
	if err != nil {
		return nil, failed(ctx, err, t.hidden)
	}
	var b strings.Builder
	for _, c := range k.Catalog.Causes() {
		b.WriteString(c.ID + ": " + c.Title + "\n")
	}
	return contents(r.Params.URI, markdown, b.String()), nil
}

func (t *tools) readCause(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	k, err := t.Knowledge()
	if err != nil {
		return nil, failed(ctx, err, t.hidden)
	}
	id := strings.TrimPrefix(r.Params.URI, causeURI)
	if k.Catalog.Cause(id) == nil && k.Catalog.Symptom(id) == nil {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	x, err := ask.Explain(k, ask.ExplainOptions{Words: []string{id}})
	if err != nil {
		return nil, failed(ctx, err, t.hidden)
	}
	var b bytes.Buffer
	if err := report.PageMarkdown(&b, x.Page); err != nil {
		return nil, err
	}
	return contents(r.Params.URI, markdown, wholeLines(b.String(), MaxAnswer-costOfEnvelope)), nil
}

// wholeLines returns the first lines of a text that have at most so many bytes, and says if lines are left out.
func wholeLines(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return text[:strings.LastIndexByte(text[:most], '\n')+1] + "\nThe rest of the page is left out: explain_cause has it in pages.\n"
}

// readEvidence returns one page of evidence, as many pieces as fit an answer.
func (t *tools) readEvidence(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	id, rest, _ := strings.Cut(strings.TrimPrefix(r.Params.URI, evidenceURI), "/")
	finding, page, _ := strings.Cut(rest, "/")
	k := t.shelf.find(id)
	number, err1 := strconv.Atoi(finding)
	at, err2 := strconv.Atoi(page)
	if k == nil || errors.Join(err1, err2) != nil {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	if number < 1 || number > len(k.evidence) {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	refs := k.evidence[number-1]
	if at < 1 || at > len(refs) {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	e := evidencePage(refs, at-1)
	if e.Left > 0 {
		e.Next = evidenceURI + id + "/" + finding + "/" + strconv.Itoa(len(refs)-e.Left+1)
	}
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return contents(r.Params.URI, asJSON, string(text)), nil
}

func evidencePage(refs []evidence.Ref, from int) Evidence {
	e := Evidence{Evidence: []EvidenceLine{}}
	room := MaxAnswer - costOfEnvelope
	for i := from; i < len(refs); i++ {
		p := &refs[i]
		line := EvidenceLine{Signature: p.Signature, Untrusted: Data{Line: p.Text, Source: joined(p.Source, p.Locator), At: moment(&p.ObservedAt)}.bounded()}
		if room -= cost(line); room < 0 {
			e.Left = len(refs) - i
			break
		}
		e.Evidence = append(e.Evidence, line)
	}
	return e
}
