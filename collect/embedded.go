package collect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/cloud"
)

// blockStarts are the lines with which a CLI starts a JSON document.
var blockStarts = [][]byte{[]byte("\n{\n"), []byte("\n[\n"), []byte("\n{\r\n"), []byte("\n[\r\n")}

// withoutEmbedded reads a text with pasted output of cloud CLIs and kubectl: JSON, tables or YAML between words and prompts. Each
// block is read as a separate document. Empty lines replace it, so that other lines keep their numbers.
// Only a text with a block near its start is searched: logs of any size pass unchanged.
func (b *Builder) withoutEmbedded(d document, r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, sniffSize)
	start, _ := in.Peek(sniffSize)
	printed := b.printedIn(d, start)
	hasBlock := func(line []byte) bool { return bytes.Contains(start, line) }
	if len(printed) == 0 && !slices.ContainsFunc(blockStarts, hasBlock) {
		return in
	}
	out, w := io.Pipe()
	go func() {
		for {
			line, err := in.ReadBytes('\n')
			switch {
			case opens(line) && err == nil:
				printed.end()
				var more []byte
				if more, err = block(in, line); printed.json(more) || b.addEmbedded(d, more) {
					more = bytes.Repeat([]byte{'\n'}, bytes.Count(more, []byte{'\n'}))
				}
				line = more
			case printed.take(line):
				line = []byte{'\n'}
			}
			if err != nil {
				printed.end()
			}
			if _, failed := w.Write(line); failed != nil || err != nil {
				w.CloseWithError(err)
				return
			}
		}
	}()
	return out
}

// opens reports whether a line opens a JSON document as tools print it: a brace or bracket alone.
func opens(line []byte) bool {
	line = bytes.TrimRight(line, "\r\n ")
	return len(line) == 1 && (line[0] == '{' || line[0] == '[')
}

// block reads the lines up to the one that closes the document: the same bracket alone at the start of a line.
func block(in *bufio.Reader, first []byte) ([]byte, error) {
	end := byte('}')
	if first[0] == '[' {
		end = ']'
	}
	lines := bytes.Clone(first)
	for len(lines) < maxCloud {
		line, err := in.ReadBytes('\n')
		lines = append(lines, line...)
		if err != nil || len(line) > 0 && line[0] == end {
			return lines, err
		}
	}
	return lines, nil
}

// addEmbedded adds a pasted document if it is cloud or Kubernetes output.
func (b *Builder) addEmbedded(d document, lines []byte) bool {
	if !json.Valid(lines) {
		return false
	}
	tree := cloud.Tree(string(lines))
	if list, ok := tree.([]any); ok && len(list) > 0 {
		tree = list[0]
	}
	m, ok := tree.(map[string]any)
	if list, listed := m["value"].([]any); ok && listed && len(list) > 0 {
		m, _ = list[0].(map[string]any)
	}
	kind, _ := m["kind"].(string)
	version, _ := m["apiVersion"].(string)
	if !ok || decoderOf(m) == nil && (kind == "" || version == "") {
		return false
	}
	b.addJSON(d, strings.NewReader(string(lines)))
	return true
}
