package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"sigs.k8s.io/yaml"
)

// JSON writes any of our values in its stable form, indented. Characters that could drive a terminal are
// written as \u escapes, so that the values stay exact and the output harmless.
func JSON(w io.Writer, v any) error {
	data, err := encode(v)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	if bytes.IndexFunc(b.Bytes(), escaped) < 0 {
		return b.Bytes(), nil
	}
	var out bytes.Buffer
	for _, r := range b.String() {
		if !escaped(r) {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	return out.Bytes(), nil
}

// escaped is what the JSON encoder leaves as it is although it is hostile; it occurs inside strings only.
func escaped(r rune) bool { return r >= 0x7f && r != unicode.ReplacementChar && hostile(r) }

// YAML writes the same fields as JSON does. It is made for eyes: hostile characters are replaced.
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
