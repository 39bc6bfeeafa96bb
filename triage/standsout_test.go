package triage

import (
	"slices"
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// Lines stand out by their weight. Next to a likely cause only an exit with its reason and a refusal do. Next to a certain cause
// only a refusal does that is repeated to the end.
func TestStandsOut(t *testing.T) {
	line := func(number, count int, speaker logline.Speaker, text string) *evidence.Line {
		return &evidence.Line{Ref: evidence.Ref{Source: "log", Text: text}, Number: number, After: 100 - number, Count: count, Speaker: speaker, Gravity: logline.GravityOf(text)}
	}
	const (
		skipped = `level=warning msg="Unknown flag --ingress-controller found in config.yaml, skipping"`
		exited  = "rke2-server.service: Main process exited, code=exited, status=1/FAILURE"
		fatal   = `level=fatal msg="invalid value provided for --profile flag"`
		limit   = "There are over 20 volumes mounted on the instance, no more can be mounted."
		refused = `Unable to register node: nodes is forbidden: User "kubelet-client" cannot create resource "nodes"`
		timeout = "E0125 06:42:39.880390 2189071 status.go:71] context canceled"
	)
	in := Input{Signatures: &signatures.Set{}, Catalog: &catalog.Catalog{}, Snapshot: evidence.New(evidence.Data{Lines: []*evidence.Line{
		line(1, 1, logline.Distro, skipped), line(20, 1, logline.Systemd, exited), line(40, 1, logline.Distro, fatal), line(99, 1, logline.Unknown, limit),
		line(98, 900, logline.Kubelet, refused), line(50, 1, logline.Distro, timeout),
		{Ref: evidence.Ref{Source: "log", Text: "My node stopped"}, Number: 100, Channel: evidence.Prose},
	}})}
	for certainty, want := range map[Certainty][]string{
		Possible: {refused, limit, fatal, timeout, exited},
		Likely:   {refused, limit},
		Certain:  {refused},
	} {
		var got []string
		for _, l := range standsOut(&Report{Findings: []Finding{{Cause: "x", Certainty: certainty}}}, in) {
			got = append(got, l.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", certainty, got, want)
		}
	}
}
