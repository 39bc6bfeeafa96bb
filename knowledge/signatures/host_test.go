package signatures_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// The name of a machine is not part of its components' messages; it may still be captured.
func TestNamesOfMachinesAreNoMessages(t *testing.T) {
	set, err := signatures.Read(fstest.MapFS{"a.yaml": {Data: []byte("component: a\nsignatures:\n" +
		"  - {id: a-stopped, pattern: 'minikube.{0,40}: Stopped', says: b, source: c}\n" +
		"  - {id: a-named, pattern: ' (?P<node>\\S{1,60}) kubelet\\[\\d+\\]: gone away', says: b, source: c}\n")}})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"Jun  2 10:00:00 minikube systemd[1]: kubelet.service: Stopped":             "",
		"2026-06-02T10:00:00Z minikube systemd[1]: kubelet.service: Stopped":        "",
		"Jun  2 10:00:00 n1 minikube[1]: host: Stopped":                             "a-stopped",
		"minikube: Stopped: Stopped":                                                "a-stopped",
		"Jun  2 10:00:00 minikube kubelet[1]: gone away":                            "a-named minikube",
		"Jun  2 10:00:00 n1 driver[1]: minikube: Stopped: Stopped by: \\\"root\\\"": "a-stopped",
	} {
		for range 2 { // the second time from the cache
			var got []string
			tallies, err := set.Scan(strings.NewReader(line+"\n"), signatures.Options{Kind: "log"})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range tallies {
				got = append(got, strings.TrimSpace(m.Signature.ID+" "+m.Captures["node"]))
			}
			if s := strings.Join(got, ", "); s != want {
				t.Errorf("%s: found %q, want %q", line, s, want)
			}
		}
		for _, sig := range set.All() {
			captures, ok := sig.Match(line)
			if found := strings.HasPrefix(want, sig.ID); ok != found || (sig.Hit(line) != "") != found || ok && captures["node"] != strings.TrimPrefix(strings.TrimPrefix(want, sig.ID), " ") {
				t.Errorf("%s: %s matches: %v %v %q", line, sig.ID, ok, captures, sig.Hit(line))
			}
		}
	}
}

// Words of another writer are shown, and no signature matches them.
func TestWordsOfOthersAreNotRecognised(t *testing.T) {
	set, err := signatures.Read(fstest.MapFS{"a.yaml": {Data: []byte("component: a\nsignatures:\n" +
		"  - {id: a-refused, pattern: 'webhook denied', says: b, source: c}\n" +
		"  - {id: a-full, pattern: 'disk is full', says: d, source: c}\n")}})
	if err != nil {
		t.Fatal(err)
	}
	behind := func(line string) (from, to int) {
		if at := strings.Index(line, "denied: "); at >= 0 {
			return at + len("denied: "), len(line)
		}
		return 0, 0
	}
	line := "the webhook denied: the disk is full"
	tallies, err := set.Scan(strings.NewReader(line+"\n"+line+"\nthe disk is full\n"), signatures.Options{Others: behind})
	if err != nil {
		t.Fatal(err)
	}
	if len(tallies) != 2 || tallies[0].Signature.ID != "a-refused" || tallies[0].Count != 2 || tallies[0].Text != line || tallies[1].Line != 3 {
		t.Errorf("found %+v", tallies)
	}
}
