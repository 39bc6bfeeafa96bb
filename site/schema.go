package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// schema is the part of a JSON schema that its page shows.
type schema struct {
	Title                string      `json:"title"`
	Description          string      `json:"description"`
	Type                 types       `json:"type"`
	Ref                  string      `json:"$ref"`
	Pattern              string      `json:"pattern"`
	Enum                 []any       `json:"enum"`
	Items                *schema     `json:"items"`
	AdditionalProperties *schema     `json:"additionalProperties"`
	Required             []string    `json:"required"`
	Properties           []*property `json:"-"`
}

// property is a field of an object. A schema keeps the order of its file, which has the most important fields first.
type property struct {
	name string
	*schema
}

// types is one name or a list of names.
type types []string

func (t *types) UnmarshalJSON(data []byte) error {
	var one string
	if err := json.Unmarshal(data, &one); err == nil {
		*t = types{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

func (s *schema) UnmarshalJSON(data []byte) error {
	type plain schema
	if err := json.Unmarshal(data, (*plain)(s)); err != nil {
		return err
	}
	var object struct {
		Properties json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(data, &object); err != nil || object.Properties == nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(object.Properties))
	if _, err := dec.Token(); err != nil { // the brace
		return err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		p := &property{fmt.Sprint(name), &schema{}}
		if err := dec.Decode(p.schema); err != nil {
			return err
		}
		s.Properties = append(s.Properties, p)
	}
	return nil
}

// schemaPages writes a page for each schema of a folder, and the page that lists them.
func schemaPages(dir, to string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("read the schemas: there are none in %s", dir)
	}
	var list strings.Builder
	list.WriteString("# Schemas\n\nThe JSON Schema of each result that `-o json` prints.\n\n")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		s := new(schema)
		if err := json.Unmarshal(text, s); err != nil {
			return fmt.Errorf("read the schema %s: %w", file, err)
		}
		if err := write(to, "content/docs/schema/"+name+".md", s.page(filepath.Base(file))); err != nil {
			return err
		}
		fmt.Fprintf(&list, "- [%s](%s.md)%s\n", s.Title, name, after(": ", plainText(s.Description)))
	}
	return write(to, "content/docs/schema/_index.md", []byte(list.String()))
}

// page returns a schema as Markdown: a description, and a row for each field, including nested fields.
func (s *schema) page(file string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n", s.Title)
	if s.Description != "" {
		fmt.Fprintf(&b, "%s\n\n", plainText(s.Description))
	}
	fmt.Fprintf(&b, "JSON Schema: [%s](%s).\n\n", file, file)
	b.WriteString("| field | type | required | description |\n|---|---|---|---|\n")
	s.rows(&b, s.Title, "")
	return b.Bytes()
}

// rows writes the fields of an object, or of the objects in a list or a map. whole is the target of a reference.
func (s *schema) rows(b *bytes.Buffer, whole, path string) {
	for _, p := range s.Properties {
		at := path + p.name
		fixed := "no"
		if slices.Contains(s.Required, p.name) {
			fixed = "yes"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", at, p.typeName(whole), fixed, p.words())
		p.rows(b, whole, at+".")
	}
	if s.Items != nil {
		s.Items.rows(b, whole, strings.TrimSuffix(path, ".")+"[].")
	}
	if s.AdditionalProperties != nil {
		s.AdditionalProperties.rows(b, whole, path+"*.")
	}
}

// typeName returns the type of a field in one or two words.
func (s *schema) typeName(whole string) string {
	if s.Ref != "" {
		return whole
	}
	var names []string
	null := false
	for _, t := range s.Type {
		switch {
		case t == "null":
			null = true
		case t == "array" && s.Items != nil:
			names = append(names, "list of "+s.Items.typeName(whole))
		case t == "object" && s.AdditionalProperties != nil:
			names = append(names, "map of "+s.AdditionalProperties.typeName(whole))
		default:
			names = append(names, t)
		}
	}
	if len(names) == 0 {
		names = append(names, "anything")
	}
	if null {
		names = append(names, "null")
	}
	return strings.Join(names, " or ")
}

// words returns the description of a field with its possible values.
func (s *schema) words() string {
	var parts []string
	if s.Description != "" {
		parts = append(parts, plainText(s.Description))
	}
	values := s
	for values.Items != nil && len(values.Enum) == 0 {
		values = values.Items
	}
	if len(values.Enum) > 0 {
		var one []string
		for _, v := range values.Enum {
			one = append(one, fmt.Sprintf("`%v`", v))
		}
		parts = append(parts, "one of "+strings.Join(one, ", "))
	}
	if s.Pattern != "" {
		parts = append(parts, "matches `"+strings.ReplaceAll(s.Pattern, "|", `\|`)+"`")
	}
	return strings.Join(parts, "; ")
}

// plainText returns text as Markdown that shows it unchanged, also in a table cell.
func plainText(s string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(s), " ") {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// after puts a separator before text, unless it is empty.
func after(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}
