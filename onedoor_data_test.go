package nodetriage_test

import (
	"reflect"
	"regexp"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// waits is a place for a value in a text of the knowledge.
var waits = regexp.MustCompile(`[{<][a-zA-Z][a-zA-Z0-9_-]*[}>]`)

// printed are the fields of the knowledge that are printed as they stand: nothing is put into them.
var printed = map[string]bool{"Meaning": true, "Answer": true, "Look": true}

// The knowledge has commands with places for names: all of them are of the type into which only package shell puts names.
func TestCommandsOfTheKnowledgeAreTexts(t *testing.T) {
	c, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	texts := 0
	look := func(of string, v any) {
		eachString(reflect.ValueOf(v), "", func(field string, s reflect.Value) {
			switch {
			case s.Type() == reflect.TypeFor[shell.Text]():
				texts++
			case !printed[field] && commandWord.MatchString(s.String()) && waits.MatchString(s.String()):
				t.Errorf("%s: %s is no shell.Text: %q", of, field, s.String())
			}
		})
	}
	for _, x := range c.Causes() {
		look(x.ID, x)
	}
	for _, x := range c.Symptoms() {
		look(x.ID, x)
	}
	for _, x := range c.Questions() {
		look(x.ID, x)
	}
	for _, x := range catalog.Providers() {
		look(x.Name, x)
	}
	for _, x := range set.All() {
		look(x.ID, x)
	}
	if texts < 1000 {
		t.Errorf("%d commands, which cannot be all", texts)
	}
}

// eachString visits the strings of a value, with the field that has them.
func eachString(v reflect.Value, field string, visit func(field string, s reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		visit(field, v)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			eachString(v.Elem(), field, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				eachString(v.Field(i), f.Name, visit)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			eachString(v.Index(i), field, visit)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			eachString(v.MapIndex(key), field, visit)
		}
	}
}
