package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// writeKnowledge writes the knowledge behind a result: always if it is more than the built-in one, else only in the wide form.
func writeKnowledge(p canvas, by []catalog.Origin) {
	if len(by) > 1 || len(by) == 1 && p.wide() {
		p.remark("Knowledge: " + knowledgeSays(by) + ".")
	}
}

// knowledgeSays names all parts, in the order in which they were added.
func knowledgeSays(by []catalog.Origin) string {
	return strings.Join(apply(by, originSays), "; then ")
}

// originSays describes one part: name, version, digest, and the key that was verified.
func originSays(o catalog.Origin) string {
	out := o.Name
	if o.Version != "" {
		out += " " + o.Version
	}
	if o.Digest == "" {
		return out
	}
	signed := "not checked who made it"
	if o.SignedBy != "" {
		signed = "signed by key " + o.SignedBy
	}
	return out + " (" + o.Digest + ", " + signed + ")"
}

// footKnowledge returns the knowledge in the footer of a page, next to the version of the program.
func footKnowledge(by []catalog.Origin) string {
	if len(by) < 2 {
		return ""
	}
	return knowledgeSays(by)
}
