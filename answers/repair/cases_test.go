package repair_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/answers/plan"
	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/cases/casetest/snapshots"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics/placement/scheduler"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/triage"
)

// A case is the table of a cluster, in what its cloud differs from testdata/standing.yaml, the arguments of a repair, and
// the plan. Every gate is seen to pass and to refuse.
func TestCases(t *testing.T) {
	states := map[repair.GateState]map[repair.GateName]bool{repair.Passed: {}, repair.Refused: {}, repair.Unjudged: {}, repair.Accepted: {}, repair.Deferred: {}}
	verdicts := map[plan.Verdict]bool{}
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		p := repair.New(snapshots.Table(t, c, "standing.yaml", "report.yaml"), options(t, c))
		verdicts[p.Verdict] = true
		for _, g := range p.Gates {
			states[g.State][g.Name] = true
			if g.Why == "" {
				t.Errorf("gate %s does not say why it is %s", g.Name, g.State)
			}
		}
		var got bytes.Buffer
		if err := report.Repair(&got, p, report.Style{Width: 100, Wide: true}); err != nil {
			t.Fatal(err)
		}
		c.Want(t, "want", got.String())
	})
	for _, v := range []plan.Verdict{plan.Clear, plan.Blocked, plan.Unclear} {
		if !verdicts[v] {
			t.Errorf("no case with verdict %s", v)
		}
	}
	for _, g := range []repair.GateName{
		repair.GateAge, repair.GateSubscription, repair.GatePower, repair.GateOperation, repair.GateAutoRepair, repair.GateLock, repair.GateLockdown,
		repair.GateRights, repair.GateCounts, repair.GateCause, repair.GateBudgets, repair.GateHealth, repair.GateMachine, repair.GateModel, repair.GateDrained,
		repair.GateSystem, repair.GatePinned, repair.GateBound,
	} {
		if !states[repair.Passed][g] || !states[repair.Refused][g] {
			t.Errorf("no case in which gate %s passes, or none in which it refuses", g)
		}
	}
	for _, g := range repair.Consents {
		if !states[repair.Refused][g] && !states[repair.Accepted][g] {
			t.Errorf("gate %s can be accepted, and no case needs it", g)
		}
	}
}

// options reads the arguments of a case, such as "restart Node a --accept drained".
func options(t *testing.T, c *casetest.Case) repair.Options {
	t.Helper()
	words := strings.Fields(c.Text("args"))
	if len(words) < 3 {
		t.Fatalf("args %q", words)
	}
	opt := repair.Options{Action: cloud.Verb(words[0]), Subject: evidence.Subject{Kind: words[1], Name: words[2]}, Now: snapshots.TableTime, Board: scheduler.New}
	set := flag.NewFlagSet("args", flag.ContinueOnError)
	accept, offline, late := set.String("accept", "", ""), set.Bool("offline", false, ""), set.Duration("late", 0, "")
	if err := set.Parse(words[3:]); err != nil {
		t.Fatal(err)
	}
	opt.Now = opt.Now.Add(*late)
	for _, g := range strings.FieldsFunc(*accept, func(r rune) bool { return r == ',' }) {
		opt.Accept = append(opt.Accept, repair.GateName(g))
	}
	if !*offline {
		opt.Standing = standing(t, opt, c)
	}
	if text := c.File("report.yaml"); text != nil {
		opt.Report = &triage.Report{}
		c.YAML(t, "report.yaml", opt.Report)
	}
	return opt
}

// standing is that of a cluster in which all is well, with what the case has of its own.
func standing(t *testing.T, opt repair.Options, c *casetest.Case) *cloud.Standing {
	t.Helper()
	var st cloud.Standing
	text, err := os.ReadFile("testdata/standing.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(text, &st); err != nil {
		t.Fatal(err)
	}
	if c.File("standing.yaml") != nil {
		c.YAML(t, "standing.yaml", &st)
	}
	st.Change.Verb = opt.Action
	if opt.Subject.Kind != "Pool" {
		st.Pool = nil
	}
	if opt.Subject.Kind != "Node" {
		st.Machine = nil
	}
	return &st
}
