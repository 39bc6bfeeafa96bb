package accuracy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// object is one object of JSON or YAML, of Kubernetes or of a bundle.
type object = map[string]any

// at returns the value below the keys, or nil.
func at(o any, keys ...string) any {
	for _, k := range keys {
		m, ok := o.(object)
		if !ok {
			return nil
		}
		o = m[k]
	}
	return o
}

func textAt(o any, keys ...string) string {
	s, _ := at(o, keys...).(string)
	return s
}

func listAt(o any, keys ...string) []any {
	l, _ := at(o, keys...).([]any)
	return l
}

// below returns the object below a key, and creates it if it does not exist.
func below(o object, key string) object {
	m, ok := o[key].(object)
	if !ok {
		m = object{}
		o[key] = m
	}
	return m
}

// jsonDocument reports whether a text is one JSON value.
func jsonDocument(text string) bool { return json.Valid([]byte(text)) }

// document is a file of objects.
type document struct {
	yaml  bool
	roots []any // YAML may contain several
}

// parseDocument parses a file of objects; false if it contains none, or is invalid.
func parseDocument(f File) (document, bool) {
	if !f.objects() {
		return document{}, false
	}
	text := strings.TrimSpace(f.Text)
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		var root any
		if d.Decode(&root) != nil || d.More() {
			return document{}, false
		}
		return document{roots: []any{root}}, true
	}
	out := document{yaml: true}
	for _, part := range strings.Split("\n"+text, "\n---") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		data, err := yaml.YAMLToJSON([]byte(part))
		if err != nil {
			return document{}, false
		}
		var root any
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		if d.Decode(&root) != nil {
			return document{}, false
		}
		out.roots = append(out.roots, root)
	}
	return out, len(out.roots) > 0
}

// text encodes the document in its original format.
func (d document) text() string {
	var parts []string
	for _, root := range d.roots {
		if !d.yaml {
			return jsonText(root)
		}
		data, err := yaml.Marshal(root)
		if err != nil {
			panic(err)
		}
		parts = append(parts, string(data))
	}
	return strings.Join(parts, "---\n")
}

// jsonText encodes JSON like kubectl, and a section of a bundle like bundles, with its kind before its items.
func jsonText(root any) string {
	encode := func(v any) string {
		data, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			panic(err) // it came from JSON
		}
		return string(data)
	}
	if textAt(root, "of") == "" {
		return encode(root) + "\n"
	}
	return fmt.Sprintf("{%q:%q,%q:%q,%q:%q,%q:%s}\n", "apiVersion", textAt(root, "apiVersion"), "kind", textAt(root, "kind"),
		"of", textAt(root, "of"), "items", encode(listAt(root, "items")))
}

// lists returns the lists of objects in a document, in the forms of kubectl and bundles.
func (d document) lists() (out []object) {
	for _, root := range d.roots {
		if m, ok := root.(object); ok {
			if _, isList := m["items"].([]any); isList {
				out = append(out, m)
			}
		}
	}
	return out
}

// each visits every object of the document: the root, or the items of a list. kind is that of the object, or of the section of
// a bundle.
func (d document) each(visit func(kind string, o object)) {
	for _, root := range d.roots {
		m, ok := root.(object)
		if !ok {
			continue
		}
		items, isList := m["items"].([]any)
		if !isList {
			visit(textAt(m, "kind"), m)
			continue
		}
		for _, item := range items {
			o, ok := item.(object)
			if !ok {
				continue
			}
			kind := textAt(o, "kind")
			switch of := textAt(m, "of"); {
			case of != "":
				kind = "bundle/" + of
			case kind == "":
				kind = strings.TrimSuffix(textAt(m, "kind"), "List")
			}
			visit(kind, o)
		}
	}
}
