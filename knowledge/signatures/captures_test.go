package signatures

import (
	"regexp"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/prefilter"
)

// A name that a message gives is captured whole.
func TestNamesAreWhole(t *testing.T) {
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]struct{ signature, capture, name string }{
		`starting new Manager error -> could not get link for interface 'enp2s0': Link not found`:                                                 {"agent-kube-vip-interface", "interface", "enp2s0"},
		`could not find interface eth1: no such network interface`:                                                                                {"agent-interface-absent", "interface", "eth1"},
		`error creating pod sandbox with name "k8s_web": initializing source docker://registry.example.com/library/pause:3.9: connection refused`: {"registry-sandbox-image-infra", "image", "registry.example.com/library/pause:3.9"},
	} {
		s := set.byID[want.signature]
		if s == nil {
			t.Fatalf("there is no signature %s", want.signature)
		}
		var text prefilter.Text
		text.Set(line)
		groups, found := s.groups(&text)
		if !found {
			t.Errorf("%s does not match %q", want.signature, line)
			continue
		}
		if got := s.captured(line, groups)[want.capture]; got != want.name {
			t.Errorf("%s captures %q of %q, want %q", want.signature, got, line, want.name)
		}
	}
}

// greedy matches any text before a capture, which takes the first letters of the name that follows.
var greedy = regexp.MustCompile(`\.(?:\*|\+|\{\d+,\d+\})\(\?P<`)

func TestNothingTakesTheStartOfAName(t *testing.T) {
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range set.list {
		if part := greedy.FindString(s.Pattern); part != "" {
			t.Errorf("%s: %s takes the start of the name; make it lazy, or let it match no letters", s.ID, part)
		}
	}
}
