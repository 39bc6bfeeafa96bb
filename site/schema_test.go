package main

import (
	"encoding/json"
	"testing"
)

func TestSchemaPage(t *testing.T) {
	s := new(schema)
	err := json.Unmarshal([]byte(`{"title": "Thing", "description": "What a *thing* is.", "type": "object", "required": ["zone", "parts"],
		"properties": {
			"zone": {"type": "string", "enum": ["a", "b"], "description": "where | when"},
			"parts": {"type": ["null", "array"], "items": {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}},
			"labels": {"type": "object", "additionalProperties": {"type": "string"}},
			"kinds": {"type": "array", "items": {"type": "string", "enum": ["x"]}},
			"before": {"$ref": "#"}}}`), s)
	if err != nil {
		t.Fatal(err)
	}
	want := `# Thing

What a \*thing\* is.

JSON Schema: [Thing.json](Thing.json).

| field | type | required | description |
|---|---|---|---|
| ` + "`zone`" + ` | string | yes | where \| when; one of ` + "`a`, `b`" + ` |
| ` + "`parts`" + ` | list of object or null | yes |  |
| ` + "`parts[].size`" + ` | integer | yes |  |
| ` + "`labels`" + ` | map of string | no |  |
| ` + "`kinds`" + ` | list of string | no | one of ` + "`x`" + ` |
| ` + "`before`" + ` | Thing | no |  |
`
	if got := string(s.page("Thing.json")); got != want {
		t.Errorf("the page is\n%s\nwant\n%s", got, want)
	}
}
