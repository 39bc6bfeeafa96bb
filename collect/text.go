package collect

import (
	"io"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
)

// addText reads a text for signatures and for pasted terminal output, in one pass.
func (b *Builder) addText(d document, r io.Reader) {
	p := placeOf(d.path)
	switch {
	case repeats(d.path):
		return
	case p.application:
		d.from.skipped++
		return
	case p.subject.Kind == "Pod":
		b.ScanText(d.name, evidence.TextLog, p.subject, r)
		return
	}
	r = b.door.text(withoutFields(b.withoutEmbedded(d, withoutCopies(withoutRemarks(withoutBoxes(withoutEscapes(r)))))))
	out, in := io.Pipe()
	done := make(chan *paste.Text)
	go func() {
		text, _ := paste.Parse(d.name, withoutComments(d.kind, withoutApplications(withoutWraps(out)))) // the search reports a read error
		_, _ = io.Copy(io.Discard, out)
		done <- text
	}()
	b.scanText(d.name, "", d.kind, p.subject, io.TeeReader(r, in))
	in.Close()
	text := <-done
	if p.subject.Kind == "Node" {
		b.note(func(*evidence.Data, *evidence.Templates) { b.owners[d.name] = p.subject.Name })
	}
	if text.Empty() {
		return
	}
	if !b.room(text.Size()) {
		b.Gap(d.name, "its tables were left out: "+fullWhy(b.full), "read it separately")
		return
	}
	b.Edit(func(*evidence.Data, *evidence.Templates) { b.pasted = append(b.pasted, text) })
}
