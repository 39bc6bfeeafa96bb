package collect

import (
	"bytes"
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/wording"
)

// logMark matches the line with which kubectl cluster-info dump starts and ends the log of a container.
var logMark = lazyregexp.New(`^==== (START|END) logs for container \S+ of pod ([^/\s]+)/(\S+) ====`)

// logs searches lines between objects. Logs of a cluster-info dump belong to their pods, and prove that the lists next to them are
// from such a dump.
func (o *objects) logs(line int, text []byte) {
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		if m := logMark.FindSubmatch(text[:n]); m != nil {
			o.endLines()
			o.dump = true
			o.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
				if !slices.Contains(d.Dumps, o.doc.name) {
					d.Dumps = append(d.Dumps, o.doc.name)
				}
			})
			o.application = string(m[1]) == "START" && !evidence.ComponentNamespace(string(m[2]))
			if o.application {
				o.doc.from.skipped++
			} else if string(m[1]) == "START" {
				o.lines = o.builder.newSearched(o.doc.name, o.doc.kind, evidence.PodSubject(wording.Cut(string(m[2]), maxName), wording.Cut(string(m[3]), maxName)))
			}
		} else if !o.application {
			o.search(line, bytes.TrimSuffix(text[:n], []byte{'\n'}))
		}
		line++
		text = text[n:]
	}
}

// endLines closes the text that is searched.
func (o *objects) endLines() {
	if o.lines != nil {
		o.lines.close()
		o.lines = nil
	}
}
