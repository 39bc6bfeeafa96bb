package signatures_test

import (
	"testing"
	"testing/fstest"

	"github.com/nodetriage/nodetriage/signatures"
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

func TestBody(t *testing.T) {
	for _, tc := range []struct{ line, want string }{
		{`Aug 25 15:57:08 node1 crio[38052]: time="2023-08-25 15:57:08.444+08:00" level=warning msg="slow"`, `level=warning msg="slow"`},
		{`E0119 09:20:44.310012       1 main.go:278] Failed to check br_netfilter`, `main.go:278] Failed to check br_netfilter`},
		{`2026-11-21T02:03:04+0000 worker-1 kubelet[812]: E1121 02:03:04.1 812 kubelet.go:2345] "PLEG"`, `kubelet.go:2345] "PLEG"`},
		{`2026-11-21T02:03:04.123456789Z stderr F panic: nil map`, `panic: nil map`},
		{`no head at all`, `no head at all`},
		{`Aug 25 15:57:08 node1 crio[38052]:`, `Aug 25 15:57:08 node1 crio[38052]:`},
		{``, ``},
	} {
		if got := signatures.Body(tc.line); got != tc.want {
			t.Errorf("Body(%q)\n got %q\nwant %q", tc.line, got, tc.want)
		}
	}
}
