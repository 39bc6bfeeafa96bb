package nodemap_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/nodemap"
	"github.com/nodetriage/nodetriage/triage"
)

var update = flag.Bool("update", false, "rewrite what the cases want")

// Each case is evidence.yaml and report.yaml, and what comes of them: map.yaml, and NAME.node.yaml for the
// nodes that it shows in detail. The comment above says what the case is about.
func TestCases(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var data evidence.Data
			var r triage.Report
			for _, f := range archive.Files {
				switch f.Name {
				case "evidence.yaml":
					err = yaml.UnmarshalStrict(f.Data, &data)
				case "report.yaml":
					err = yaml.UnmarshalStrict(f.Data, &r)
				}
				if err != nil {
					t.Fatalf("%s: %v", f.Name, err)
				}
			}
			s := evidence.New(data)
			for i, f := range archive.Files {
				var got any
				if name, ok := strings.CutSuffix(f.Name, ".node.yaml"); ok {
					got = nodemap.NewDetail(s, &r, name, time.Time{})
				} else if f.Name == "map.yaml" {
					got = nodemap.New(s, &r, time.Time{})
				} else {
					continue
				}
				text, err := yaml.Marshal(got)
				if err != nil {
					t.Fatal(err)
				}
				if *update {
					archive.Files[i].Data = text
				} else if string(text) != string(f.Data) {
					t.Errorf("%s: run with -update and look at the difference; got\n%s", f.Name, text)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestNoSuchNode(t *testing.T) {
	if nodemap.NewDetail(evidence.New(evidence.Data{}), &triage.Report{}, "worker-1", time.Time{}) != nil {
		t.Error("a detail of a node that is not there")
	}
}

func TestAmountsReadAsPeopleWriteThem(t *testing.T) {
	for milli, want := range map[int64]string{0: "0m", 250: "250m", 1000: "1", 1500: "1.5", 3920: "3.92", 16000: "16"} {
		if got := nodemap.CPU(milli); got != want {
			t.Errorf("CPU(%d) = %s, want %s", milli, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 512: "512", 512 << 20: "512Mi", 8 << 30: "8Gi", 16777216000: "15.6Gi", 200 << 30: "200Gi"} {
		if got := nodemap.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %s, want %s", n, got, want)
		}
	}
}
