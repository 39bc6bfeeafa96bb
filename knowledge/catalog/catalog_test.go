package catalog_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

func TestBuiltinIsValid(t *testing.T) {
	c, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, cause := range c.Causes() {
		if len(cause.Remedies) == 0 || len(cause.Verify) == 0 || len(cause.Confirm) == 0 {
			t.Errorf("%s: a page needs confirm, remedies and verify", cause.ID)
		}
	}
}

func page(id, explains string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("---\nid: " + id + "\ntitle: T\nlayer: kubelet\nseverity: error\nscope: node\nexplains: [" +
		explains + "]\n---\nText.\n")}
}

func body(fields string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("---\nid: a\ntitle: T\nlayer: kubelet\nseverity: error\nscope: node\n" + fields + "\n---\nText.\n")}
}

func TestReadErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"no front matter":         {fstest.MapFS{"causes/a.md": {Data: []byte("hello")}}, "three dashes"},
		"unknown field":           {fstest.MapFS{"causes/a.md": {Data: []byte("---\nid: a\nfoo: 1\n---\nx\n")}}, "foo"},
		"other file name":         {fstest.MapFS{"causes/a.md": page("b", "")}, `file name says "a"`},
		"edge into nothing":       {fstest.MapFS{"causes/a.md": page("a", "ghost")}, `"ghost"`},
		"check without a place":   {fstest.MapFS{"causes/a.md": body("confirm: [{run: df, expect: full}]")}, `where is "": say where it runs`},
		"remedy without a place":  {fstest.MapFS{"causes/a.md": body("remedies: [{title: T, commands: [df], risk: low}]")}, `where is "": say where its commands run`},
		"place that nobody knows": {fstest.MapFS{"causes/a.md": body("remedies: [{title: T, where: moon, commands: [df], risk: low}]")}, `where is "moon"`},
		"place without a command": {fstest.MapFS{"causes/a.md": body("remedies: [{title: T, where: node, risk: low}]")}, "there is no command"},
		"command on the moon":     {fstest.MapFS{"causes/a.md": body(`remedies: [{title: T, where: node, commands: ["df # on: moon"], risk: low}]`)}, `the place "moon"`},
		"variant never seen":      {fstest.MapFS{"causes/a.md": body("variants: [{id: v}]")}, `variant "v": it needs an id, and signatures or words`},
		"variant without use":     {fstest.MapFS{"causes/a.md": body("variants: [{id: v, said: [x]}]")}, `variant "v": it has no title, and no check or remedy is for it`},
		"variant of no page":      {fstest.MapFS{"causes/a.md": body("remedies: [{title: T, risk: low, variants: [v]}]")}, `variant "v": the page has no such variant`},
		"circle":                  {fstest.MapFS{"causes/a.md": page("a", "b"), "causes/b.md": page("b", "a")}, "circle: a -> b -> a"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := catalog.Read(tc.files)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error with %q", err, tc.want)
			}
		})
	}
}

func TestExplainsReachesThroughOthers(t *testing.T) {
	c, err := catalog.Read(fstest.MapFS{"causes/a.md": page("a", "b"), "causes/b.md": page("b", "c"), "causes/c.md": page("c", "")})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Explains("a", "c") || c.Explains("c", "a") {
		t.Error("a explains c through b, and not the other way round")
	}
}

// The problem that leaves a pool Failed also failed the request that changed it: one fault, from either message.
func TestFailedPoolsAreFailedRequests(t *testing.T) {
	c, err := catalog.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, cause := range c.Causes() {
		if slices.Contains(cause.Explains, "pool-failed") && !slices.Contains(cause.Explains, "cloud-request-failed") {
			t.Errorf("%s explains pool-failed, and not cloud-request-failed", cause.ID)
		}
	}
}
