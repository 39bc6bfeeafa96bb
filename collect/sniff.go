package collect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strings"

	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// refused are archive formats that only other programs unpack, and binary files that people expect to be readable, by their first
// bytes.
var refused = []struct {
	magic, why string
	how        shell.Text
}{
	{"7z\xbc\xaf\x27\x1c", "is a 7z archive", "unpack it first and name the folder"},
	{"Rar!\x1a\x07", "is a RAR archive", "unpack it first and name the folder"},
	{"LPKSHHRH", "is a journal in systemd's own format", "journalctl --file FILE --no-pager > journal.log"},
	{"%PDF-", "is a PDF file", "save its text"},
	{"\x89PNG", "is a picture", "paste the text that it shows"},
	{"\xff\xd8\xff", "is a picture", "paste the text that it shows"},
	{"\x7fELF", "is a program", ""},
	{"SQLite format 3\x00", "is a database", ""},
}

// sniff returns the kind of a document by its first bytes. For a refused document, it returns the reason and a hint.
func sniff(start []byte) (kind, why string, how shell.Text) {
	text := bytes.TrimLeft(start, " \t\r\n")
	if len(text) == 0 {
		return "empty", "", ""
	}
	for _, r := range refused {
		if bytes.HasPrefix(start, []byte(r.magic)) {
			return "refused", r.why, r.how
		}
	}
	if format := cmp.Or(packedFormat(start), wide(start)); format != "" {
		return format, "", ""
	}
	if controls(start) > len(start)/20+2 {
		return "refused", "is a binary file of an unknown format", ""
	}
	return textFormat(text), "", ""
}

// packedFormat returns the format of an archive or a compressed file, by its first bytes; "" for other files.
func packedFormat(start []byte) string {
	switch {
	case bytes.HasPrefix(start, []byte{0x1f, 0x8b}):
		return "gzip"
	case bytes.HasPrefix(start, []byte("BZh")) && len(start) > 10 && string(start[4:10]) == "1AY&SY":
		return "bzip2"
	case bytes.HasPrefix(start, []byte("\xfd7zXZ\x00")):
		return "xz"
	case bytes.HasPrefix(start, []byte("\x28\xb5\x2f\xfd")):
		return "zstd"
	case bytes.HasPrefix(start, []byte("PK\x03\x04")), bytes.HasPrefix(start, []byte("PK\x05\x06")):
		return "zip"
	case len(start) > 262 && string(start[257:262]) == "ustar":
		return "tar"
	}
	return ""
}

// textFormat returns the format of a text by its first line.
func textFormat(text []byte) string {
	switch {
	case looksLikeYAML(text):
		return "yaml"
	case jsonLines(text), logRecord(text):
		return "text"
	case text[0] == '{' || text[0] == '[' && looksLikeJSONList(text):
		return "json"
	case looksLikeCloudYAML(text):
		return "cloud-yaml"
	}
	return "text"
}

// painted reports whether a text is a document in colors, as az prints it with -o yamlc or -o jsonc.
func painted(start []byte) bool {
	if bytes.IndexByte(start, esc) < 0 {
		return false
	}
	text, _ := io.ReadAll(withoutEscapes(bytes.NewReader(start))) // cannot fail
	kind, _, _ := sniff(text)
	return kind == "json" || kind == "yaml" || kind == "cloud-yaml"
}

// controls counts control bytes that do not occur in logs or terminal output of any encoding.
func controls(start []byte) int {
	n := 0
	for _, c := range start {
		if c < ' ' && !bytes.ContainsRune([]byte("\t\n\r\f\b\a\x1b"), rune(c)) {
			n++
		}
	}
	return n
}

// wide returns the byte order of UTF-16: by its mark, or by the zero in every other byte of Latin text, as PowerShell writes it.
func wide(start []byte) string {
	switch {
	case bytes.HasPrefix(start, []byte{0xff, 0xfe}):
		return "utf16le"
	case bytes.HasPrefix(start, []byte{0xfe, 0xff}):
		return "utf16be"
	case len(start) < 8:
		return ""
	}
	var zeros [2]int
	for i, c := range start[:len(start)&^1] {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(start) / 2
	switch {
	case zeros[1] > half*9/10 && zeros[0] == 0:
		return "utf16le"
	case zeros[0] > half*9/10 && zeros[1] == 0:
		return "utf16be"
	}
	return ""
}

// looksLikeJSONList distinguishes a JSON list from a log line that starts with a bracket.
func looksLikeJSONList(text []byte) bool {
	rest := bytes.TrimLeft(text[1:], " \t\r\n")
	return len(rest) > 0 && (rest[0] == '{' || rest[0] == ']' || rest[0] == '[')
}

// jsonLines distinguishes a log with one JSON object per line from a document.
func jsonLines(text []byte) bool {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	line, rest = bytes.TrimSpace(line), bytes.TrimSpace(rest)
	if !inBraces(line) || !bytes.HasPrefix(rest, []byte("{")) {
		return false
	}
	return json.Valid(line) && !bytes.Contains(line, []byte(`"kind"`))
}

func inBraces(line []byte) bool {
	return len(line) > 2 && line[0] == '{' && line[len(line)-1] == '}'
}

var (
	recordLevel = lazyregexp.New(`^\{[^{}\[\]]{0,400}"(?:level|lvl|severity|log\.level)" ?: ?"\w{1,10}"`)
	recordText  = lazyregexp.New(`^\{[^{}\[\]]{0,900}"(?:msg|message)" ?: ?"`)
)

// logRecord reports whether the first line is a JSON log record. Use it if a log has only one line or is cut off.
func logRecord(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return recordLevel.Match(line) && recordText.Match(line) && !bytes.Contains(line, []byte(`"kind":`)) && !bytes.Contains(line, []byte(`"apiVersion"`))
}

// looksLikeYAML distinguishes objects in YAML from text by the first line with content.
func looksLikeYAML(text []byte) bool {
	for line := range strings.Lines(string(text[:min(len(text), 8<<10)])) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || line == "---" || line == "" {
			continue
		}
		line = strings.TrimPrefix(strings.TrimPrefix(line, "- "), "{") // as in {apiVersion: v1, kind: Node}
		return strings.HasPrefix(line, "apiVersion:") || strings.HasPrefix(line, "kind:") || line == "items:"
	}
	return false
}
