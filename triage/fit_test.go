package triage

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// adviserOf returns the adviser of a finding with these lines as its evidence.
func adviserOf(lines ...string) *adviser {
	said := Claim{}
	for _, line := range lines {
		said.Evidence = append(said.Evidence, evidence.Ref{Text: line})
	}
	group := []*statement{{claims: []Claim{said}}}
	return &adviser{
		graph: &graph{around: &surroundings{text: func() string { return "" }}}, finding: &Finding{}, group: group, text: textOf("", group),
	}
}

// A fix for one kind of error is shown if the evidence has that kind, a detail of it, or no known kind; a fix for another kind is not.
func TestSuitsTheError(t *testing.T) {
	for _, c := range []struct {
		shown, of []logline.Kind
		want      bool
	}{
		{nil, []logline.Kind{"expired"}, true},
		{[]logline.Kind{"expired"}, nil, true},
		{[]logline.Kind{"expired"}, []logline.Kind{"expired"}, true},
		{[]logline.Kind{"expired"}, []logline.Kind{"certificate"}, true},
		{[]logline.Kind{"certificate"}, []logline.Kind{"expired"}, true}, // the line does not show which one
		{[]logline.Kind{"expired"}, []logline.Kind{"unknown-authority"}, false},
		{[]logline.Kind{"refused", "timeout"}, []logline.Kind{"timeout"}, true},
		{[]logline.Kind{"refused"}, []logline.Kind{"timeout", "no-route"}, false},
	} {
		x := adviserOf()
		x.errors = c.shown
		if got := x.suits(catalog.Fit{Errors: c.of}); got != c.want {
			t.Errorf("the evidence shows %q: a fix for %q is shown: %v, want %v", c.shown, c.of, got, c.want)
		}
	}
}

// Words, variants and platforms each decide alone whether advice is shown.
func TestSuitsTheEvidence(t *testing.T) {
	for _, c := range []struct {
		name     string
		fit      catalog.Fit
		variants []string
		want     bool
	}{
		{"nothing restricts it", catalog.Fit{}, nil, true},
		{"a word that must be there is there", catalog.Fit{When: []string{"etcd", "disk"}}, nil, true},
		{"a word that must be there is not", catalog.Fit{When: []string{"etcd"}}, nil, false},
		{"a word that must not be there is", catalog.Fit{Unless: []string{"disk"}}, nil, false},
		{"a word that must not be there is not", catalog.Fit{Unless: []string{"etcd"}}, nil, true},
		{"the variant is shown", catalog.Fit{Variants: []string{"a"}}, []string{"a"}, true},
		{"another variant is shown", catalog.Fit{Variants: []string{"a"}}, []string{"b"}, false},
		{"no variant is known", catalog.Fit{Variants: []string{"a"}}, nil, true},
		{"the platform is not here", catalog.Fit{Platforms: []string{"talos"}}, nil, false},
	} {
		x := adviserOf("kubelet: no space left on Disk /dev/sda1")
		x.variants = c.variants
		if got := x.suits(c.fit); got != c.want {
			t.Errorf("%s: it is shown: %v, want %v", c.name, got, c.want)
		}
	}
}

// Advice for the decisive error comes first, with fewer errors before more; then advice for the shown variant, for all, for others.
func TestNearness(t *testing.T) {
	x := adviserOf()
	x.errors, x.variants = []logline.Kind{"expired", "timeout"}, []string{"a"}
	want := []catalog.Fit{
		{Errors: []logline.Kind{"expired"}},
		{Errors: []logline.Kind{"certificate", "refused"}},
		{Variants: []string{"a"}},
		{Errors: []logline.Kind{"timeout"}}, // not the decisive one
		{Variants: []string{"b"}},
	}
	for i := 1; i < len(want); i++ {
		if before, after := x.fitRank(want[i-1]), x.fitRank(want[i]); before >= after {
			t.Errorf("%+v has %d, and %+v after it has %d", want[i-1], before, want[i], after)
		}
	}
	if best := x.fitRank(want[0]); proven >= best {
		t.Errorf("a proven case is not before %d", best)
	}
}

// Only errors that the page distinguishes count. The first line of the evidence is the decisive one, and each kind counts once.
func TestErrorsOfAPage(t *testing.T) {
	page := &catalog.Cause{
		Confirm:  []catalog.Check{{Fit: catalog.Fit{Errors: []logline.Kind{"unknown-authority"}}}},
		Remedies: []catalog.Remedy{{Fit: catalog.Fit{Errors: []logline.Kind{"expired"}}}},
		Cautions: []catalog.Note{{Fit: catalog.Fit{Errors: []logline.Kind{"refused"}}}},
	}
	x := adviserOf(
		"pull: no space left on device",
		"dial tcp 10.0.0.1:443: connect: connection refused",
		"x509: certificate has expired or is not yet valid: current time is after 2026",
		"dial tcp 10.0.0.2:443: connect: connection refused",
	)
	if got, want := errorsOf(page, x.group), []logline.Kind{"refused", "expired"}; !slices.Equal(got, want) {
		t.Errorf("errors %q, want %q", got, want)
	}
	if got := errorsOf(&catalog.Cause{}, x.group); got != nil {
		t.Errorf("a page without kinds has %q", got)
	}
}

// A proof for another form of the cause is left out, and one for the shown form comes first.
func TestNotesByVariant(t *testing.T) {
	x := adviserOf()
	x.variants = []string{"vip"}
	got := x.notes([]catalog.Note{
		{Text: "Pods reach each other."},
		{Text: "The virtual IP answers.", Fit: catalog.Fit{Variants: []string{"vip"}}},
		{Text: "The tunnel is up.", Fit: catalog.Fit{Variants: []string{"tunnel"}}},
	})
	if want := []shell.Text{"The virtual IP answers.", "Pods reach each other."}; !slices.Equal(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
}

// Cautions for the error of the evidence come first, and those for other errors are left out.
func TestCautionsByError(t *testing.T) {
	x := adviserOf()
	x.errors = []logline.Kind{"expired"}
	got := x.notes([]catalog.Note{
		{Text: "A restart stops all pods."},
		{Text: "The server needs the new certificate too.", Fit: catalog.Fit{Errors: []logline.Kind{"expired"}}},
		{Text: "The proxy may need the authority.", Fit: catalog.Fit{Errors: []logline.Kind{"unknown-authority"}}},
	})
	want := []shell.Text{"The server needs the new certificate too.", "A restart stops all pods."}
	if !slices.Equal(got, want) {
		t.Errorf("cautions %q, want %q", got, want)
	}
}
