package signatures_test

import (
	"testing"
	"testing/fstest"

	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

func TestHitIsTheRecognisedPart(t *testing.T) {
	set, err := signatures.Read(fstest.MapFS{"a.yaml": {Data: []byte("component: a\nsignatures:\n  - {id: a-quoted, pattern: 'name \"(?P<x>[a-z]+)\" is taken', says: b, source: c}\n")}})
	if err != nil {
		t.Fatal(err)
	}
	sig := set.Lookup("a-quoted")
	for text, want := range map[string]string{
		`E1 the Name "cart" is taken by it`:      `Name "cart" is taken`,
		`err="the name \"cart\" is taken by it"`: "", // it stands there with other quotes
		`nothing`:                                "",
	} {
		if got := sig.Hit(text); got != want {
			t.Errorf("Hit(%q) = %q, want %q", text, got, want)
		}
	}
}
