package collect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/cloud/providers"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/wording"
)

// ProviderIDs returns the provider IDs of the nodes read so far.
func (b *Builder) ProviderIDs() []string {
	var ids []string
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for _, n := range d.Nodes {
			if n.Spec.ProviderID != "" {
				ids = append(ids, n.Spec.ProviderID)
			}
		}
	})
	return ids
}

// maxCloud bounds a cloud document, in bytes: it is held as a tree.
const maxCloud = 4 << 20

// addCloud adds the JSON of a cloud CLI if a cloud decoder knows it.
func (b *Builder) addCloud(name string, raw []byte) bool {
	if len(raw) > maxCloud || len(raw) == 0 || raw[0] != '{' {
		return false
	}
	tree, _ := cloud.Tree(string(raw)).(map[string]any)
	d := decoderOf(tree)
	return d != nil && (b.manyDocuments() || b.addDecoded(name, d.Decode(tree, name), raw))
}

// decoderOf returns the decoder of the cloud that the object belongs to, or nil.
func decoderOf(object map[string]any) cloud.Decoder {
	for _, d := range providers.Decoders() {
		if object != nil && d.Knows(object) {
			return d
		}
	}
	return nil
}

// cloudObject reports whether a cloud represents its machines as objects of that version and kind.
func cloudObject(apiVersion, kind string) bool {
	for _, of := range providers.Decoders() {
		if objects, ok := of.(cloud.ObjectDecoder); ok && objects.Objects(apiVersion, kind) {
			return true
		}
	}
	return false
}

// manyDocuments counts a cloud document, and reports whether it is over the bound.
func (b *Builder) manyDocuments() bool { return b.tooMany(&b.documents, maxDocuments, "documents") }

// manyJudged is manyDocuments for documents with an error or of a log: each is analyzed separately.
func (b *Builder) manyJudged() bool {
	return b.tooMany(&b.judged, maxJudged, "documents with an error or of a log")
}

func (b *Builder) tooMany(count *int, most int, what string) bool {
	many := false
	b.Edit(func(*evidence.Data, *evidence.Templates) {
		*count++
		many = *count > most
	})
	if many {
		b.Gap("documents of the cloud", fmt.Sprintf("there are more than %d %s; the rest was not read", most, what), "pass only those of unhealthy nodes")
	}
	return many
}

// addDecoded adds the content of a cloud document.
func (b *Builder) addDecoded(name string, what cloud.Decoded, raw []byte) bool {
	tallies, err := b.signatures.Scan(strings.NewReader(strings.Join(what.Lines, "\n")), signatures.Options{Kind: evidence.TextCloud})
	if err != nil {
		return false
	}
	if len(tallies)+len(what.Activities) > 0 && b.manyJudged() {
		return true
	}
	if !b.room(2 * len(raw)) {
		return true
	}
	if b.texts != nil {
		b.texts.Keep(bundle.Text{Source: name, Form: bundle.FormCloud}, raw)
	}
	source := strings.TrimSpace(name + " " + wording.Cut(what.Name, maxName))
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for _, t := range tallies {
			m := match(t, source, evidence.TextCloud, what.Subject)
			m.Ref.Locator = what.Paths[t.Line-1]
			m.Ref.ObservedAt = what.At
			m.Channel = evidence.CloudDocument
			d.Matches = append(d.Matches, m)
		}
		d.Lines = append(d.Lines, printedLines(&what, source, tallies)...)
		d.CloudResources = append(d.CloudResources, what.Resources...)
		d.CloudActivities = append(d.CloudActivities, what.Activities...)
		if len(what.Names) > 0 {
			d.CloudNames = append(d.CloudNames, what.Names)
		}
	})
	return true
}

// cloudSink takes the output of a cloud CLI in a text.
type cloudSink struct {
	b   *Builder
	doc document
	of  cloud.Decoder
}

func (s cloudSink) Object(object map[string]any) bool {
	raw, err := json.Marshal(object)
	return err == nil && (s.b.manyDocuments() || s.b.addDecoded(s.doc.name, s.of.Decode(object, s.doc.name), raw))
}

func (s cloudSink) YAML(text []byte) bool { return s.b.addCloudYAML(s.doc, text) }

func (s cloudSink) Gap(why string, how shell.Text) { s.b.Gap(s.doc.name, why, how) }

// addCloudYAML adds the resources that a cloud CLI printed as YAML, one or a list.
func (b *Builder) addCloudYAML(d document, text []byte) bool {
	raw, err := bounds.YAMLToJSON(text)
	return err == nil && b.addEmbedded(d, raw)
}

// cloudLines reads cloud CLI output among the lines of a text.
type cloudLines []cloud.Lines

// printedIn returns the readers for a text with that start; none if no cloud CLI printed anything there.
func (b *Builder) printedIn(d document, start []byte) (lines cloudLines) {
	for _, of := range providers.Decoders() {
		if text, ok := of.(cloud.TextDecoder); ok && text.Shows(start) {
			lines = append(lines, text.Lines(cloudSink{b, d, of}))
		}
	}
	return lines
}

func (c cloudLines) take(line []byte) bool {
	for _, l := range c {
		if l.Take(line) {
			return true
		}
	}
	return false
}

func (c cloudLines) json(doc []byte) bool {
	return slices.ContainsFunc(c, func(l cloud.Lines) bool { return l.JSON(doc) })
}

func (c cloudLines) end() {
	for _, l := range c {
		l.End()
	}
}

// looksLikeCloudYAML reports whether a cloud CLI prints YAML documents with that start.
func looksLikeCloudYAML(start []byte) bool {
	for _, of := range providers.Decoders() {
		if text, ok := of.(cloud.TextDecoder); ok && text.YAML(start) {
			return true
		}
	}
	return false
}
