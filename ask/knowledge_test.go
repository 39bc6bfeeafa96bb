package ask

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
)

// Additions extend the built-in knowledge, or replace its signatures. Inconsistent ones are rejected.
func TestAdditions(t *testing.T) {
	own := func(signature string) fs.FS {
		return fstest.MapFS{"signatures/own.yaml": {Data: []byte("component: shop\nsignatures:\n- {id: own, " + signature + ", source: the shop}\n")}}
	}
	for name, c := range map[string]struct {
		files    fs.FS
		complete bool
		want     string // in the error
	}{
		"none":              {files: fstest.MapFS{}},
		"a signature":       {files: own(`pattern: "shop: out of stock", says: disk-pressure, certainty: possible`)},
		"all signatures":    {files: own(`pattern: "shop: out of stock", says: disk-pressure, certainty: possible`), complete: true},
		"no such cause":     {files: own(`pattern: "shop: out of stock", says: no-such-cause, certainty: possible`), want: `says "no-such-cause", which is neither a cause nor a symptom`},
		"no such rule":      {files: own(`pattern: "shop: out of stock", says: disk-pressure, certainty: possible, judgedBy: nobody`), want: `judgedBy "nobody" is not a rule about messages`},
		"not YAML":          {files: fstest.MapFS{"signatures/own.yaml": {Data: []byte("{")}}, want: "read catalog ours: "},
		"a page of rubbish": {files: fstest.MapFS{"causes/x.md": {Data: []byte("x")}}, want: "read catalog ours: "},
	} {
		before := knowing(t)
		k, err := NewKnowledge("test", Addition{Path: "ours", Origin: catalog.Origin{Name: "ours"}, Files: c.files, Complete: c.complete})
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		more := len(k.Signatures.All()) - len(before.Signatures.All())
		if c.complete && len(k.Signatures.All()) != 1 || !c.complete && more != strings.Count(name, "signature") || k.Origins[1].Name != "ours" {
			t.Errorf("%s: %d signatures more, of %v", name, more, k.Origins)
		}
	}
}

// Exceptions apply to the diagnosis and to the review.
func TestExceptions(t *testing.T) {
	from := fromFiles(t)
	from.At = time.Date(2026, 6, 2, 10, 0, 0, 0, time.UTC)
	list, err := from.Knowledge.Exceptions("ours.yaml", []byte(`exceptions:
- {cause: drain-blocked-finalizer, subject: pod/shop/*, until: 2026-12-31, why: known, who: us}
- {cause: budget-never, subject: "*/*/*", until: 2026-12-31, why: known, who: us}
`))
	if err != nil {
		t.Fatal(err)
	}
	d, err := Diagnose(t.Context(), from, DiagnoseOptions{Exceptions: list})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range d.Report.Findings {
		if f.Cause == "drain-blocked-finalizer" {
			t.Error("it is found all the same")
		}
	}
	r, err := Check(t.Context(), from, CheckOptions{Exceptions: list})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Weaknesses {
		if f.Check == "budget-never" {
			t.Error("it is checked all the same")
		}
	}
	_, err = from.Knowledge.Exceptions("ours.yaml", []byte("exceptions:\n- {cause: drain-blocked-finaliser, subject: \"*\", until: 2026-12-31, why: known, who: us}\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "exceptions: ") || !strings.Contains(err.Error(), "did you mean drain-blocked-finalizer?") {
		t.Error(err)
	}
}
