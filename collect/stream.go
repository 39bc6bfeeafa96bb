package collect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

const sniffSize = 64 << 10

// utf8Mark is the byte order mark that some editors and PowerShell add to UTF-8.
var utf8Mark = []byte("\xef\xbb\xbf")

// AddStream reads one document of any kind, detected from its content: an archive, Kubernetes objects as JSON or YAML, JSON of a
// cloud CLI, or text. The name is used in evidence and gaps. Unreadable content becomes a gap.
func (b *Builder) AddStream(name string, r io.Reader) {
	c := b.newContainer(nil)
	c.member(c.document(name, 0), r)
	c.finish()
}

// add reads a document according to its kind.
func (b *Builder) add(d document, r io.Reader) {
	if b.door.ended() {
		return
	}
	d.from.saw(d)
	in := readers.Get().(*bufio.Reader)
	if d.nesting == 0 {
		in.Reset(b.door.input(r))
	} else {
		in.Reset(b.door.bytes(r))
	}
	defer func() {
		in.Reset(nil)
		readers.Put(in)
	}()
	start, err := in.Peek(sniffSize)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) && len(start) == 0 {
		b.Gap(d.name, "cannot be read: "+readError(err), "")
		return
	}
	whole := errors.Is(err, io.EOF) // the buffer holds the whole document
	if bytes.HasPrefix(start, utf8Mark) {
		_, _ = in.Discard(len(utf8Mark)) // buffered, so it cannot fail
		start = start[len(utf8Mark):]
	}
	kind, why, how := kindOf(d, start, whole)
	if kind == "text" && painted(start) && d.nesting < maxNesting {
		d.nesting++
		b.add(d, withoutEscapes(in))
		return
	}
	if d.kind = b.identify(d, kind, start); d.kind.Class == textclass.Reference {
		return
	}
	switch kind {
	case "truth":
	case "nothing":
		b.found()
		b.tellNothing(d.name)
	case "empty":
		b.Gap(d.name, "is empty", "")
	case "refused":
		b.Gap(d.name, why, how)
	case "gzip", "bzip2", "xz", "zstd":
		b.turn.await() // unpacked bytes are counted in the order of the inputs
		b.addPacked(d, kind, in)
	case "tar":
		b.turn.await()
		b.addTar(d, in)
	case "zip":
		b.turn.await()
		b.addInnerZip(d, in)
	case "utf16le":
		b.addUTF16(d, in, unicode.LittleEndian)
	case "utf16be":
		b.addUTF16(d, in, unicode.BigEndian)
	case "case":
		b.addCase(d, in)
	case "json":
		b.found()
		b.addJSON(d, in)
	case "yaml":
		b.found()
		b.addYAML(d, in)
	case "cloud-yaml":
		b.found()
		b.addCloudYAMLOrText(d, in)
	default:
		b.found()
		if whole {
			b.addText(d, bytes.NewReader(withoutIndent(start)))
			return
		}
		b.addText(d, in)
	}
}

// readable are the kinds of documents that may be text of any class.
var readable = map[string]bool{"text": true, "json": true, "yaml": true, "cloud-yaml": true}

// identify returns the class of a whole document, and records one that is not read as evidence.
func (b *Builder) identify(d document, kind string, start []byte) textclass.Kind {
	if !readable[kind] {
		return textclass.Kind{}
	}
	of := textclass.OfDocument(d.path, start)
	if of.Class == textclass.Reference {
		b.found()
		b.aside(d.name, of)
	}
	return of
}

// addCloudYAMLOrText reads YAML of a cloud CLI, or else a text.
func (b *Builder) addCloudYAMLOrText(d document, r io.Reader) {
	text, err := io.ReadAll(io.LimitReader(r, maxCloud))
	if err != nil || len(text) == maxCloud || !b.addCloudYAML(d, withoutPrompt(text)) {
		b.addText(d, io.MultiReader(bytes.NewReader(text), r))
	}
}

// withoutPrompt removes the prompt that less leaves as the last line.
func withoutPrompt(text []byte) []byte {
	if rest, found := bytes.CutSuffix(bytes.TrimRight(text, " \r\n"), []byte("\n:")); found {
		return rest
	}
	return text
}

// kindOf is sniff for a document: a case and its truth are texts, and "nothing" is a response without content.
func kindOf(d document, start []byte, whole bool) (kind, why string, how shell.Text) {
	kind, why, how = sniff(start)
	text := kind == "text" || kind == "yaml"
	switch {
	case text && isTruth(d, start):
		kind = "truth"
	case whole && isNothing(start):
		kind = "nothing"
	case text && isCase(d, start):
		kind = "case"
	}
	return kind, why, how
}

// addUTF16 reads a text as Windows saves it.
func (b *Builder) addUTF16(d document, r io.Reader, order unicode.Endianness) {
	if d.nesting >= maxNesting {
		b.addText(d, r)
		return
	}
	d.nesting++
	b.add(d, transform.NewReader(r, unicode.UTF16(order, unicode.UseBOM).NewDecoder()))
}

// readers are pooled, because a folder may hold many small files.
var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, sniffSize) }}

// found records a document with readable content.
func (b *Builder) found() { b.note(func(*evidence.Data, *evidence.Templates) { b.used++ }) }
