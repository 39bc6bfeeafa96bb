package nodes_test

import (
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/answers/nodes"
	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// Each case is evidence.yaml and report.yaml, and what comes of them: map.yaml, and NAME.node.yaml for the
// nodes that it shows in detail. The comment above says what the case is about.
func TestCases(t *testing.T) {
	casetest.Run(t, "testdata/*.txtar", func(t *testing.T, c *casetest.Case) {
		var data evidence.Data
		var r triage.Report
		c.YAML(t, "evidence.yaml", &data)
		c.YAML(t, "report.yaml", &r)
		r.NameCertainty()
		s := evidence.New(data)
		for _, f := range c.Files("evidence.yaml", "report.yaml") {
			var got any = nodes.New(s, &r, time.Time{})
			if name, ok := strings.CutSuffix(f.Name, ".node.yaml"); ok {
				got = nodes.NewDetail(s, &r, name, time.Time{})
			}
			text, err := yaml.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			c.Want(t, f.Name, string(text))
		}
	})
}

func TestNoSuchNode(t *testing.T) {
	if nodes.NewDetail(evidence.New(evidence.Data{}), &triage.Report{}, "worker-1", time.Time{}) != nil {
		t.Error("a detail of a node that is not there")
	}
}

func TestAmountsReadAsPeopleWriteThem(t *testing.T) {
	for milli, want := range map[int64]string{0: "0m", 250: "250m", 1000: "1", 1500: "1.5", 3920: "3.92", 16000: "16"} {
		if got := nodes.CPU(milli); got != want {
			t.Errorf("CPU(%d) = %s, want %s", milli, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 512: "512", 512 << 20: "512Mi", 8 << 30: "8Gi", 16777216000: "15.6Gi", 200 << 30: "200Gi"} {
		if got := nodes.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %s, want %s", n, got, want)
		}
	}
}
