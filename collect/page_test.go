package collect_test

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
)

// A partial list causes a gap of its kind. Pages that form a complete list cause none.
func TestSavedInPart(t *testing.T) {
	item := func(name string) string {
		return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `","namespace":"a"},"spec":{"nodeName":"n"},"status":{"phase":"Running"}}`
	}
	page := func(meta string, items ...string) string {
		return `{"kind":"PodList","apiVersion":"v1","metadata":{` + meta + `},"items":[` + strings.Join(items, ",") + `]}`
	}
	first, second := page(`"resourceVersion":"7","continue":"x","remainingItemCount":1`, item("p")), page(`"resourceVersion":"7"`, item("q"))
	for name, x := range map[string]struct {
		files []string
		want  string // in the gap of pods; empty: there is none
	}{
		"continue":                        {[]string{page(`"continue":"x"`, item("p"))}, "1 read"},
		"remaining":                       {[]string{page(`"remainingItemCount":400`, item("p"))}, "1 read, 400 remain"},
		"a number that is none":           {[]string{page(`"remainingItemCount":"400"`, item("p"))}, "metadata cannot be read"},
		"a negative number":               {[]string{page(`"remainingItemCount":-1`, item("p"))}, "1 read"},
		"no items":                        {[]string{page(`"continue":"x"`)}, "0 read"},
		"all pages":                       {[]string{first, second}, ""},
		"all pages, in another order":     {[]string{second, first}, ""},
		"pages of two lists":              {[]string{first, page(`"resourceVersion":"8"`, item("q"))}, "1 read, 1 remain"},
		"the last page is short":          {[]string{first, page(`"resourceVersion":"7"`)}, "1 read"},
		"a whole list":                    {[]string{page(`"resourceVersion":"7"`, item("p"))}, ""},
		"metadata behind the items":       {[]string{`{"apiVersion":"v1","items":[` + item("p") + `],"kind":"List","metadata":{"continue":"x"}}`}, "1 read"},
		"cut off in an item":              {[]string{page("", item("p"), item("q"))[:250]}, "ends in the middle of a value"},
		"cut off in the first item":       {[]string{page("", item("p"))[:100]}, "ends in the middle of a value"},
		"cut off behind the items":        {[]string{`{"apiVersion":"v1","items":[` + item("p") + `]`}, "ends in the middle of a value"},
		"no objects":                      {[]string{page("", item("p"), "null", "7")}, "no objects"},
		"an item that cannot be read":     {[]string{page("", item("p"), `{"apiVersion":"v1","kind":"Pod","metadata":7}`)}, "metadata cannot be read"},
		"YAML":                            {[]string{"apiVersion: v1\nkind: PodList\nmetadata:\n  remainingItemCount: 3\nitems:\n- " + item("p") + "\n"}, "1 read, 3 remain"},
		"YAML with metadata at its end":   {[]string{"apiVersion: v1\nitems:\n- " + item("p") + "\nkind: List\nmetadata:\n  continue: x\n"}, "1 read"},
		"YAML that is cut off":            {[]string{"apiVersion: v1\nitems:\n- " + item("p") + "\n- " + item("q") + "\n"}, "is cut off"},
		"YAML that is whole":              {[]string{"apiVersion: v1\nitems:\n- " + item("p") + "\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"}, ""},
		"a page of what is not read here": {[]string{`{"kind":"SecretList","apiVersion":"v1","metadata":{"continue":"x"},"items":[]}`, page("", item("p"))}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := collect.NewBuilder(evidence.Source{}, builtin(t))
			for i, f := range x.files {
				b.AddStream(string(rune('a'+i)), strings.NewReader(f))
			}
			s := b.Snapshot()
			var gaps []string
			for _, g := range s.Incomplete(evidence.Pods) {
				gaps = append(gaps, g.Why)
			}
			got := strings.Join(gaps, "; ")
			if (got == "") != (x.want == "") || !strings.Contains(got, x.want) {
				t.Errorf("the gap is %q, want %q; all: %+v", got, x.want, s.Gaps())
			}
			if got != "" && s.Covers(evidence.Pods) > evidence.Partial {
				t.Errorf("pods are %s", s.Covers(evidence.Pods))
			}
		})
	}
}
