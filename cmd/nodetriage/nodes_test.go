package main

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
)

// Where nodes could not be read, nobody is told to add them.
func TestNoSuchNode(t *testing.T) {
	for _, x := range []struct {
		data evidence.Data
		want string
	}{
		{evidence.Data{}, "add the output of kubectl get nodes"},
		{evidence.Data{Gaps: []evidence.Gap{{What: "nodes", Why: "throttled: \x1b[2Jlater", How: "run again"}}}, "the nodes could not be read: throttled: "},
	} {
		if got := noSuchNode(evidence.New(x.data), "worker-1"); !strings.Contains(got, x.want) || strings.Contains(got, "\x1b") {
			t.Errorf("%q, want %q", got, x.want)
		}
	}
}
