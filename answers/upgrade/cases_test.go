package upgrade_test

import (
	"bytes"
	"flag"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/upgrade"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/cases/casetest/snapshots"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
	"github.com/nodetriage/nodetriage/report"
)

// A case is the table of a cluster, what its cloud shows, the arguments of an upgrade, and the plan or the error.
func TestCases(t *testing.T) {
	verdicts, styles := map[plan.Verdict]bool{}, map[upgrade.Style]bool{}
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		u, err := upgrade.New(snapshots.Table(t, c), options(t, c.Text("args")))
		if err != nil {
			c.Want(t, "want", "error: "+err.Error()+"\n")
			return
		}
		verdicts[u.Verdict], styles[u.Settings.Style] = true, true
		var got bytes.Buffer
		if err := report.Upgrade(&got, u, report.Style{Width: 100, Wide: true}); err != nil {
			t.Fatal(err)
		}
		c.Want(t, "want", got.String())
	})
	for _, v := range []plan.Verdict{plan.Clear, plan.Blocked, plan.Slow, plan.Unclear, plan.Harmful} {
		if !verdicts[v] {
			t.Errorf("no case with verdict %s", v)
		}
	}
	for _, s := range upgrade.Styles {
		if !styles[s] {
			t.Errorf("no case of style %s", s)
		}
	}
}

// options reads the arguments of a case, like those of the command.
func options(t *testing.T, args string) upgrade.Options {
	t.Helper()
	opt := upgrade.Options{Board: scheduler.New}
	pool, rest, _ := strings.Cut(args, " ")
	opt.Pool = pool
	set := flag.NewFlagSet("args", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	style := set.String("style", "", "")
	set.StringVar(&opt.Surge, "surge", "", "")
	set.StringVar(&opt.MaxUnavailable, "max-unavailable", "", "")
	set.StringVar(&opt.Undrainable, "undrainable", "", "")
	timeout, soak := set.Duration("drain-timeout", 0, ""), set.Duration("soak", 0, "")
	start := set.Duration("node-start", 0, "")
	if err := set.Parse(strings.Fields(rest)); err != nil || set.NArg() > 0 {
		t.Fatalf("args %q: %v", args, err)
	}
	opt.Style = upgrade.Style(*style)
	set.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "drain-timeout":
			opt.DrainTimeout = timeout
		case "soak":
			opt.Soak = soak
		case "node-start":
			opt.NodeStart = plan.Within(*start, *start+time.Minute)
		}
	})
	return opt
}
