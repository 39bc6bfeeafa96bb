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
	start, whole, err := peek(in)
	if err != nil {
		b.Gap(d.name, "cannot be read: "+readError(err), "")
		return
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
	if b.withoutEvidence(d, kind, why, how) {
		return
	}
	switch kind {
	case "gzip", "bzip2", "xz", "zstd", "tar", "zip":
		b.turn.await() // unpacked bytes are counted in the order of the inputs
		b.unpack(d, kind, in)
	case "utf16le":
		b.addUTF16(d, in, unicode.LittleEndian)
	case "utf16be":
		b.addUTF16(d, in, unicode.BigEndian)
	case "case":
		b.addCase(d, in)
	case "json", "yaml", "cloud-yaml":
		b.found()
		b.addStructured(d, kind, in)
	default:
		b.found()
		if whole {
			b.addText(d, bytes.NewReader(withoutIndent(start)))
			return
		}
		b.addText(d, in)
	}
}

// peek returns the start of a document without its byte order mark; whole: that is all of it.
func peek(in *bufio.Reader) (start []byte, whole bool, err error) {
	start, err = in.Peek(sniffSize)
	whole = errors.Is(err, io.EOF)
	if err != nil && !whole && !errors.Is(err, bufio.ErrBufferFull) && len(start) == 0 {
		return nil, false, err
	}
	if bytes.HasPrefix(start, utf8Mark) {
		_, _ = in.Discard(len(utf8Mark)) // buffered, so it cannot fail
		start = start[len(utf8Mark):]
	}
	return start, whole, nil
}

// withoutEvidence reports whether a document of that kind contains no evidence, and records why.
func (b *Builder) withoutEvidence(d document, kind, why string, how shell.Text) bool {
	switch kind {
	case "truth":
	case "nothing":
		b.found()
		b.tellNothing(d.name)
	case "empty":
		b.Gap(d.name, "is empty", "")
	case "refused":
		b.Gap(d.name, why, how)
	default:
		return false
	}
	return true
}

// unpack reads the documents in an archive or a compressed file.
func (b *Builder) unpack(d document, kind string, in io.Reader) {
	switch kind {
	case "tar":
		b.addTar(d, in)
	case "zip":
		b.addInnerZip(d, in)
	default:
		b.addPacked(d, kind, in)
	}
}

func (b *Builder) addStructured(d document, kind string, in io.Reader) {
	switch kind {
	case "json":
		b.addJSON(d, in)
	case "yaml":
		b.addYAML(d, in)
	case "cloud-yaml":
		b.addCloudYAMLOrText(d, in)
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
