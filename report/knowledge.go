package report

import (
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// writeKnowledge says by what knowledge a result was judged: always where it is more than that of the program, else where
// everything is shown.
func writeKnowledge(p canvas, by []catalog.Origin) {
	if len(by) > 1 || len(by) == 1 && p.wide() {
		p.remark("Knowledge: " + knowledgeSays(by) + ".")
	}
}

// knowledgeSays names all parts, in the order in which they add to each other.
func knowledgeSays(by []catalog.Origin) string {
	return strings.Join(apply(by, originSays), "; then ")
}

// originSays is one part: name, version, digest, and whose key fitted.
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

// footKnowledge is what the foot of a page says of it beside the version of the program.
func footKnowledge(by []catalog.Origin) string {
	if len(by) < 2 {
		return ""
	}
	return knowledgeSays(by)
}
