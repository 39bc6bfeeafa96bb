package mcp_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/accuracy"
	"github.com/nodetriage/nodetriage/ask"
	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/mcp"
)

var (
	measured = flag.String("measure", "", "compare what an agent reads for each recorded incident below this folder, and print a table")
	opsbench = flag.String("opsbench", "", "the same for the node faults of this copy of Cloud-OpsBench")
)

// TestMeasure prints, for each incident of -measure or -opsbench, the bytes of its recorded text, the bytes of the first answer
// of triage_cluster, and whether the first cause of that answer is the confirmed one. An agent that reads raw text makes at least one
// call for each recorded output.
func TestMeasure(t *testing.T) {
	var all []cases.Case
	var err error
	switch {
	case *measured != "":
		all, err = cases.Find(*measured)
	case *opsbench != "":
		all, err = accuracy.NodeCases(os.DirFS(*opsbench))
	default:
		t.Skip("only with -measure FOLDER or -opsbench FOLDER")
	}
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| incident | cause | raw bytes | raw calls | answer bytes | calls | first cause right |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	sum := struct{ raw, files, answer, right int }{}
	for _, c := range all {
		raw, files := sizeOf(t, c.Evidence)
		s := connected(t, options(ask.Recording{Name: "incident", Evidence: c.Evidence}))
		r := call(t, s, "triage_cluster", nil)
		a := decoded[mcp.Answer](t, []byte(textOf(r)))
		right := c.Truth.Accepts(a.First.ID) || a.First.ID == "" && (c.Truth.Class == cases.None || c.Truth.Class == cases.Unknown || c.Truth.Class == cases.Other)
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | 1 | %t |\n", filepath.Base(c.Name), c.Truth.Class, raw, files, len(textOf(r)), right)
		sum.raw, sum.files, sum.answer = sum.raw+raw, sum.files+files, sum.answer+len(textOf(r))
		if right {
			sum.right++
		}
		_ = s.Close()
	}
	fmt.Fprintf(&b, "| all %d | | %d | %d | %d | %d | %d |\n", len(all), sum.raw, sum.files, sum.answer, len(all), sum.right)
	if _, err := os.Stdout.WriteString(b.String()); err != nil {
		t.Fatal(err)
	}
}

// sizeOf returns the bytes and the number of the recorded outputs.
func sizeOf(t *testing.T, evidence fs.FS) (bytes, files int) {
	t.Helper()
	err := fs.WalkDir(evidence, ".", func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		bytes, files = bytes+int(info.Size()), files+1
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return bytes, files
}
