package drain_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/drain"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/signatures"
)

var update = flag.Bool("update", false, "rewrite the plans of the cases")

// A case is a cluster, the arguments of a drain and the plan.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(archive.Comment), "Written by hand.") && !strings.Contains(string(archive.Comment), "Recorded") {
				t.Error("the case does not say where it comes from")
			}
			files := map[string][]byte{}
			for _, f := range archive.Files {
				files[f.Name] = f.Data
			}
			d, err := drain.New(snapshot(t, files["cluster.yaml"]), options(t, string(files["args"])))
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := report.YAML(&got, d); err != nil {
				t.Fatal(err)
			}
			if *update {
				archive.Files[len(archive.Files)-1].Data = got.Bytes()
				if err := os.WriteFile(name, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != string(files["plan.yaml"]) {
				t.Errorf("the plan is\n%s\nwant\n%s", &got, files["plan.yaml"])
			}
		})
	}
}

func snapshot(t *testing.T, cluster []byte) *evidence.Snapshot {
	t.Helper()
	set, err := signatures.Read(os.DirFS(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	b := collect.NewBuilder(evidence.Source{Kind: "file"}, set)
	b.AddStream("cluster.yaml", bytes.NewReader(cluster))
	return b.Snapshot()
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
