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

// utf8Mark is what some editors and PowerShell put in front of a text in UTF-8.
var utf8Mark = []byte("\xef\xbb\xbf")

// AddStream reads one document of any kind, detected from its content: an archive, Kubernetes objects as
// JSON or YAML, the JSON of a cloud's tool, or text. The name is used in evidence and gaps. What cannot be
// read becomes a gap.
func (b *Builder) AddStream(name string, r io.Reader) {
	c := b.newContainer(nil)
	c.member(c.document(name, 0), r)
	c.finish()
}

// add reads a document by what it is.
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
	whole := errors.Is(err, io.EOF) // all of it is in the buffer
	if bytes.HasPrefix(start, utf8Mark) {
		_, _ = in.Discard(len(utf8Mark)) // it is in the buffer
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
		b.turn.await() // what inputs unpack to is counted in their order
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

// identify tells what kind of text a document is as a whole, and notes one that is not read as evidence.
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

// addCloudYAMLOrText reads what a cloud's tool prints as YAML, or else a text.
func (b *Builder) addCloudYAMLOrText(d document, r io.Reader) {
	text, err := io.ReadAll(io.LimitReader(r, maxCloud))
	if err != nil || len(text) == maxCloud || !b.addCloudYAML(d, withoutPrompt(text)) {
		b.addText(d, io.MultiReader(bytes.NewReader(text), r))
	}
}

// withoutPrompt is a text without the prompt that less leaves as its last line.
func withoutPrompt(text []byte) []byte {
	if rest, found := bytes.CutSuffix(bytes.TrimRight(text, " \r\n"), []byte("\n:")); found {
		return rest
	}
	return text
}

// kindOf is sniff, of a document: a case and what is expected of one are texts, and "nothing" is an answer without content.
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

// readers are kept: a folder may hold many small files.
var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, sniffSize) }}

// found notes a document in which there was something to read.
func (b *Builder) found() { b.note(func(*evidence.Data, *evidence.Templates) { b.used++ }) }
