package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"sigs.k8s.io/yaml"
)

// JSON writes a value in its stable form, indented. Characters that could control a terminal are written as \u escapes, so that
// values stay exact and the output is harmless.
func JSON(w io.Writer, v any) error {
	enc := json.NewEncoder(escaping{w})
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// escaping forwards JSON with hostile characters escaped. The encoder writes a value in one call.
type escaping struct{ to io.Writer }

func (e escaping) Write(data []byte) (int, error) {
	rest := data
	for len(rest) > 0 {
		i := bytes.IndexFunc(rest, escaped)
		if i < 0 {
			i = len(rest)
		}
		if _, err := e.to.Write(rest[:i]); err != nil {
			return 0, err
		}
		if rest = rest[i:]; len(rest) == 0 {
			break
		}
		r, size := utf8.DecodeRune(rest)
		for _, unit := range utf16.Encode([]rune{r}) {
			if _, err := fmt.Fprintf(e.to, `\u%04x`, unit); err != nil {
				return 0, err
			}
		}
		rest = rest[size:]
	}
	return len(data), nil
}

// escaped reports hostile characters that the JSON encoder does not escape. They occur only inside strings.
func escaped(r rune) bool { return r >= 0x7f && r != unicode.ReplacementChar && hostile(r) }

// YAML writes the same fields as JSON. It is for people, so hostile characters are replaced.
func YAML(w io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return err
	}
	if data, err = yaml.Marshal(harmless(tree)); err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func harmless(v any) any {
	switch v := v.(type) {
	case string:
		return strings.Map(func(r rune) rune {
			if hostile(r) && r != '\n' && r != '\t' {
				return unicode.ReplacementChar
			}
			return r
		}, v)
	case []any:
		for i := range v {
			v[i] = harmless(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = harmless(v[k])
		}
	}
	return v
}
