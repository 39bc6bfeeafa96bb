package collect

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"
	"sync"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
)

// Bounds against hostile and huge input.
const (
	sniffSize   = 64 << 10
	maxDocument = 256 << 20 // bytes of one JSON or YAML document that is held as a whole
	maxUnpacked = 8 << 30   // bytes that one archive may unpack to
	maxEntries  = 50_000    // files of one archive
	maxNesting  = 3         // archives in archives
)

// AddStream reads one document of any kind, detected from its content: an archive, Kubernetes objects as
// JSON or YAML, the JSON of a cloud's tool, or text. The name is used in evidence and gaps. What cannot be
// read becomes a gap.
func (b *Builder) AddStream(name string, r io.Reader) { b.addStream(name, r, 0) }

func (b *Builder) addStream(name string, r io.Reader, nesting int) {
	in := bufio.NewReaderSize(r, sniffSize)
	start, err := in.Peek(sniffSize)
	if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
		b.Gap(name, "cannot be read: "+err.Error(), "")
		return
	}
	switch kind := sniff(start); kind {
	case "empty":
		b.Gap(name, "is empty", "")
	case "gzip":
		b.addGzip(name, in, nesting)
	case "tar":
		b.addTar(name, in, nesting)
	case "zip":
		b.Gap(name, "is a zip archive inside a stream", "unpack it and name the folder")
	case "utf16":
		decoded := transform.NewReader(in, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
		b.addStream(name, decoded, nesting+1)
	case "binary":
		b.Gap(name, "is binary, of no known kind", "")
	case "json":
		b.addJSON(name, in)
	case "yaml":
		b.addYAML(name, in)
	default:
		b.addText(name, in)
	}
}

// sniff names the kind of a document by its first bytes.
func sniff(start []byte) string {
	text := bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case len(text) == 0:
		return "empty"
	case bytes.HasPrefix(start, []byte{0x1f, 0x8b}):
		return "gzip"
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return "zip"
	case len(start) > 262 && string(start[257:262]) == "ustar":
		return "tar"
	case bytes.HasPrefix(start, []byte{0xff, 0xfe}), bytes.HasPrefix(start, []byte{0xfe, 0xff}):
		return "utf16"
	case bytes.Count(start, []byte{0}) > len(start)/100+2:
		return "binary"
	case jsonLines(text):
		return "text"
	case text[0] == '{' || text[0] == '[' && looksLikeJSONList(text):
		return "json"
	case looksLikeYAML(text):
		return "yaml"
	}
	return "text"
}

// looksLikeJSONList tells a JSON list from a log line that starts with a bracket.
func looksLikeJSONList(text []byte) bool {
	rest := bytes.TrimLeft(text[1:], " \t\r\n")
	return len(rest) > 0 && (rest[0] == '{' || rest[0] == ']' || rest[0] == '[')
}

// jsonLines tells a log with one JSON object a line from a document.
func jsonLines(text []byte) bool {
	line, rest, more := bytes.Cut(text, []byte("\n"))
	line, rest = bytes.TrimSpace(line), bytes.TrimSpace(rest)
	return more && len(line) > 2 && line[0] == '{' && line[len(line)-1] == '}' && len(rest) > 0 && rest[0] == '{' &&
		json.Valid(line) && !bytes.Contains(line, []byte(`"kind"`))
}

func looksLikeYAML(text []byte) bool {
	for line := range strings.Lines(string(text[:min(len(text), 8<<10)])) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || line == "---" || line == "" {
			continue
		}
		return strings.HasPrefix(line, "apiVersion:") || strings.HasPrefix(line, "kind:") || line == "items:"
	}
	return false
}

func (b *Builder) addGzip(name string, r io.Reader, nesting int) {
	if nesting >= maxNesting {
		b.Gap(name, "is packed more than three times", "unpack it and name the file")
		return
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		b.Gap(name, "is damaged: "+err.Error(), "")
		return
	}
	b.addStream(strings.TrimSuffix(name, ".gz"), io.LimitReader(z, maxUnpacked), nesting+1)
}

// addText reads a text once, for two readers: signatures on every line, and tables, descriptions and tool
// output wherever they stand.
func (b *Builder) addText(name string, r io.Reader) {
	pipe, feed := io.Pipe()
	var pasted sync.WaitGroup
	pasted.Go(func() {
		if err := paste.Read(name, pipe, b); err != nil {
			b.Gap(name, err.Error(), "")
		}
		_, _ = io.Copy(io.Discard, pipe) // a pipe that nobody reads would stop the scan
	})
	b.ScanText(name, "", evidence.Subject{}, io.TeeReader(r, feed))
	feed.Close()
	pasted.Wait()
}
