package drain_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/answers/drain"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/cases/casetest/snapshots"
	"github.com/nodetriage/nodetriage/report"
)

// A case is a cluster, the arguments of a drain and the plan.
func TestCases(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		d, err := drain.New(snapshots.Cluster(t, c), options(t, c.Text("args")))
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := report.YAML(&got, d); err != nil {
			t.Fatal(err)
		}
		c.Want(t, "want", got.String())
	})
}

// options reads the arguments of a case.
func options(t *testing.T, args string) drain.Options {
	t.Helper()
	var opt drain.Options
	words := strings.Fields(args)
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "--surge":
			opt.Surge = true
		case "--accept":
			i++
			for _, k := range strings.Split(words[i], ",") {
				opt.Accept = append(opt.Accept, drain.Kind(k))
			}
		case "--suspend-pdb":
			i++
			opt.Suspend = append(opt.Suspend, words[i])
		default:
			opt.Nodes = append(opt.Nodes, words[i])
		}
	}
	return opt
}
