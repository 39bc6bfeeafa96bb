package collect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence/bounds"
)

// addYAML reads documents separated by lines of three dashes. It reads list items one by one if they are at the left margin or
// evenly indented, as all tools print them. So a long list takes no more memory than a short one.
func (b *Builder) addYAML(d document, r io.Reader) {
	y := &yamlReader{objects: b.newObjects(d), in: bufio.NewReaderSize(r, sniffSize), margin: -1}
	err := y.read()
	if err != nil {
		y.damaged(y.line, err)
	}
	y.close()
}

type yamlReader struct {
	*objects
	in   *bufio.Reader
	line int // number of the last line

	bytes  int // read
	glyphs int // passed on

	doc   bytes.Buffer // of the document, without its items
	start int          // line on which doc starts
	long  bool         // doc is too long and is left out

	margin    int // columns before the dashes of the items; -1: not in a list
	waiting   bool
	kind      string // of the items, if the list gives it before them
	item      bytes.Buffer
	itemStart int
	itemLong  bool
	had       bool // the document has items
}

func (y *yamlReader) read() error {
	for {
		line, err := y.in.ReadSlice('\n')
		whole := !errors.Is(err, bufio.ErrBufferFull)
		y.bytes += len(line)
		if err := y.enough(y.bytes); err != nil {
			return err
		}
		if len(line) > 0 {
			y.take(line, whole)
		}
		if y.glyphs > bounds.MaxGlyphs {
			return bounds.ErrLongYAML
		}
		for !whole { // the rest of a long line
			line, err = y.in.ReadSlice('\n')
			whole = !errors.Is(err, bufio.ErrBufferFull)
			y.more(line)
		}
		if err != nil {
			y.endDocument(errors.Is(err, io.EOF))
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// take assigns a line to its document or item.
func (y *yamlReader) take(line []byte, whole bool) {
	y.line++
	text := strings.TrimRight(string(line[:min(len(line), 200)]), " \t\r\n")
	if whole && (text == "---" || strings.HasPrefix(text, "--- ")) {
		y.endDocument(true)
		return
	}
	indent := len(text) - len(strings.TrimLeft(text, " "))
	dash := text[indent:] == "-" || strings.HasPrefix(text[indent:], "- ")
	if y.waiting {
		y.awaitItems(text, indent, dash)
	}
	switch {
	case y.margin < 0:
	case dash && indent == y.margin:
		y.endItem()
		y.itemStart = y.line
		line = slices.Clone(line)
		line[indent] = ' ' // the dash
		y.had = true
	case text != "" && indent <= y.margin && text[indent] != '#':
		y.endItem()
		y.margin = -1
	}
	if y.margin < 0 && text == "items:" {
		y.waiting = true
		return // items are read one by one; the key alone has no content
	}
	y.more(line)
}

// awaitItems takes a line after the key of the items: the first item, or the next key of an empty list.
func (y *yamlReader) awaitItems(text string, indent int, dash bool) {
	switch {
	case dash:
		y.waiting, y.margin = false, indent
		y.kind = strings.TrimSuffix(y.docKind(), "List")
		y.listBegin(y.kind)
	case text == "":
	case indent == 0:
		y.waiting = false
	case text[indent] != '#':
		y.waiting = false
		y.misfit(y.line, "its items are no list")
	}
}

// more appends to the open item or document.
func (y *yamlReader) more(line []byte) {
	into, long, start := &y.doc, &y.long, &y.start
	if y.margin >= 0 {
		into, long, start = &y.item, &y.itemLong, &y.itemStart
	}
	if into.Len() == 0 {
		*start = max(y.line, 1)
	}
	if *long || into.Len()+len(line) > maxYAML {
		*long = true
		return
	}
	into.Write(line)
}

func (y *yamlReader) endItem() {
	y.hand(&y.item, &y.itemLong, y.itemStart, y.kind, false)
}

// endDocument passes on the rest and resets the reader.
func (y *yamlReader) endDocument(complete bool) {
	y.endItem()
	kind := y.docKind()
	if !y.had && !y.long && strings.HasSuffix(kind, "List") && y.inline() {
		y.doc.Reset()
		return
	}
	if y.had || strings.HasSuffix(kind, "List") {
		if k := strings.TrimSuffix(kind, "List"); k == "" || k == kind {
			kind = y.ofPath
		} else {
			kind = k
		}
		meta := y.docMeta()
		if y.cutOff() {
			y.cut(fmt.Sprintf("it is cut off at line %d: the kind, which kubectl prints last, is missing", y.line), "")
		}
		if complete && !y.long {
			y.listEnd(kind, meta.more(), meta)
		}
		y.doc.Reset()
		y.long = false
	} else {
		y.hand(&y.doc, &y.long, y.start, y.ofPath, true)
	}
	y.margin, y.waiting, y.had, y.kind, y.list = -1, false, false, "", 0
}

// inline reads a list with all items on the line of their key, as in JSON.
func (y *yamlReader) inline() bool {
	converted, err := bounds.YAMLToJSON(y.doc.Bytes())
	if err != nil {
		return false
	}
	j := &jsonReader{objects: y.objects, values: valuesOf(converted), of: strings.TrimSuffix(y.docKind(), "List")}
	return j.object() == nil
}

// docMeta returns the metadata of the list.
func (y *yamlReader) docMeta() listMeta {
	var rest struct {
		Metadata listMeta `json:"metadata"`
	}
	doc, err := bounds.YAMLToJSON(y.doc.Bytes())
	if err == nil {
		err = json.Unmarshal(doc, &rest)
	}
	if err != nil && y.docKind() != "" {
		y.misfit(y.line, "its metadata cannot be read")
	}
	return rest.Metadata
}

// cutOff reports whether a list ends before the fields that kubectl prints after the items. Truncated YAML is often valid.
func (y *yamlReader) cutOff() bool {
	return y.had && y.docKind() == "" && bytes.HasPrefix(bytes.TrimSpace(y.doc.Bytes()), []byte("apiVersion:"))
}

// docKind returns the kind of the document so far.
func (y *yamlReader) docKind() string {
	kind := ""
	for line := range strings.Lines(y.doc.String()) {
		if k, ok := strings.CutPrefix(line, "kind:"); ok {
			kind = strings.Trim(strings.TrimSpace(k), `"'`)
		}
	}
	return kind
}

// hand passes on a piece of YAML.
func (y *yamlReader) hand(text *bytes.Buffer, long *bool, line int, kind string, single bool) {
	switch {
	case *long:
		y.count++
		y.broken = true
		y.builder.Gap(y.objects.doc.name, fmt.Sprintf("the YAML at line %d is longer than %d MiB and was left out", line, maxYAML>>20), "export it as JSON")
	case len(bytes.TrimSpace(text.Bytes())) > 0:
		y.count++
		y.glyphs += bounds.Glyphs(text.Bytes())
		if kind == "" {
			kind = y.ofPath
		}
		y.items.put(item{raw: slices.Clone(text.Bytes()), yaml: true, line: line, fallback: kind, single: single, list: y.list})
	}
	text.Reset()
	*long = false
}
