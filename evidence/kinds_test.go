package evidence_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
)

// Rows are complete and unique.
func TestKinds(t *testing.T) {
	seen := map[string]string{}
	once := func(what, name string) {
		if before := seen[what+name]; before != "" {
			t.Errorf("%s %q stands twice", what, name)
		}
		seen[what+name] = name
	}
	for _, r := range evidence.Kinds() {
		once("kind", string(r.Kind))
		once("word", r.Word)
		if r.Kind == "" || r.Word == "" {
			t.Errorf("row %q (%q) lacks its kind or its word", r.Kind, r.Word)
		}
		if r.Present == nil && len(r.Objects()) == 0 {
			t.Errorf("%s: neither objects of the API nor anything else that tells whether there is some", r.Kind)
		}
		for _, l := range r.Lists {
			once("section", l.Section)
			if l.Section == "" || l.Kind() != r.Kind || l.New() == nil {
				t.Errorf("%s: the list %q is incomplete", r.Kind, l.Section)
			}
		}
		for _, o := range r.Objects() {
			once("object", o.Kind)
			if len(o.Names) == 0 || len(o.Groups) == 0 {
				t.Errorf("%s: %s lacks its names or groups", r.Kind, o.Kind)
			}
			for _, name := range o.Names {
				once("name", name)
				if name != strings.ToLower(name) || evidence.ObjectNamed(name) != o {
					t.Errorf("%s is not found by its name %q", o.Kind, name)
				}
			}
			if o.New() == nil || reflect.TypeOf(o.New()).Kind() != reflect.Pointer || evidence.ObjectOf(o.Kind) != o || o.Of() != r.Kind {
				t.Errorf("%s is not found by its kind, or makes nothing", o.Kind)
			}
		}
	}
}

// texts are the fields of Data that are derived from texts, which a bundle contains instead, and fields in its
// manifest.
var texts = []string{"PodsReadOn", "PodsReadIn", "CloudAnswers", "Dumps", "Matches", "Lines", "CloudResources", "CloudActivities", "CloudNames", "Gaps"}

// An added object is in the list of the bundle, once if a key identifies duplicates.
func TestKindsKeepObjects(t *testing.T) {
	for _, r := range evidence.Kinds() {
		for _, o := range r.Objects() {
			d, templates := &evidence.Data{}, evidence.NewTemplates()
			for range 2 {
				if got := d.Add(templates, o.New()); got != r.Kind {
					t.Errorf("%s was added as %q, not as %s", o.Kind, got, r.Kind)
				}
			}
			d.DropDoubles()
			d.Order()
			n := 0
			for _, l := range r.Lists {
				n += len(l.Items(d))
			}
			repeats := r.Kind == evidence.Events                                   // identified by content
			several := slices.Contains([]evidence.Kind{evidence.Webhooks}, r.Kind) // as many as in the configuration
			if want := map[bool]int{true: 2, false: 1}[repeats]; n != want && !several {
				t.Errorf("%s: %d of two equal objects are kept", o.Kind, n)
			}
		}
	}
}

// Every list of Data belongs to a kind.
func TestKindsHoldAllLists(t *testing.T) {
	all := reflect.TypeFor[evidence.Data]()
	for i := range all.NumField() {
		f := all.Field(i)
		if f.Type.Kind() != reflect.Slice || slices.Contains(texts, f.Name) {
			continue
		}
		var data evidence.Data
		field := reflect.ValueOf(&data).Elem().Field(i)
		field.Set(reflect.Append(field, reflect.New(f.Type.Elem().Elem())))
		n := 0
		for _, r := range evidence.Kinds() {
			for _, l := range r.Lists {
				n += len(l.Items(&data))
			}
		}
		if n != 1 {
			t.Errorf("%d lists of the kinds hold Data.%s: bundles would lose or double it", n, f.Name)
		}
	}
}
