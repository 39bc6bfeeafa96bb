package triage_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

func zone(z, image string) map[string]string {
	return map[string]string{"topology.kubernetes.io/zone": z, "kubernetes.azure.com/node-image-version": image}
}

// twelve returns twelve nodes of one zone and image that failed within a minute, and healthy nodes.
func twelve() []*evidence.Node {
	var list []*evidence.Node
	for i := range 12 {
		list = append(list, node(fmt.Sprintf("bad-%02d", i), 45*time.Minute-time.Duration(i)*4*time.Second, zone("east-1b", "image-2")))
	}
	for i := range 24 {
		list = append(list, node(fmt.Sprintf("good-%02d", i), 0, zone([]string{"east-1a", "east-1c"}[i%2], "image-1")))
	}
	return list
}

func TestCohorts(t *testing.T) {
	later := append(twelve(), node("late-0", 2*time.Minute, zone("east-1a", "image-1")), node("late-1", 2*time.Minute, zone("east-1c", "image-1")))
	tests := []struct {
		name   string
		nodes  []*evidence.Node
		sizes  []int
		shared map[string]string // of the first
	}{
		{"none without failing nodes", twelve()[12:], []int{}, nil},
		{"what the failing share and the healthy do not have", twelve(), []int{12}, map[string]string{"zone": "east-1b", "node image": "image-2"}},
		{"those that fell later are another group", later, []int{12, 2}, map[string]string{"zone": "east-1b", "node image": "image-2"}},
		{"one node is no group", append(twelve()[12:], twelve()[0]), []int{}, nil},
		{"nothing sets them apart where all fell", twelve()[:12], []int{12}, map[string]string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := triage.Cohorts(nodes(tt.nodes...))
			sizes := []int{}
			for _, c := range got {
				sizes = append(sizes, len(c.Nodes))
			}
			if !slices.Equal(sizes, tt.sizes) {
				t.Fatalf("groups of %v nodes, want %v", sizes, tt.sizes)
			}
			if len(got) == 0 {
				return
			}
			if got[0].Since == nil || got[0].Shared["minute"] == "" {
				t.Errorf("the group tells no time: %+v", got[0])
			}
			delete(got[0].Shared, "minute")
			if fmt.Sprint(got[0].Shared) != fmt.Sprint(tt.shared) {
				t.Errorf("they share %v, want %v", got[0].Shared, tt.shared)
			}
		})
	}
}

// A cause found on one node of a cohort explains the cohort and is likely on its other nodes. It is not on nodes with a different
// cause, and not if it is only possible.
func TestOfferedForTheGroup(t *testing.T) {
	s := nodes(twelve()...)
	together := claim("correlated-failure", triage.Likely, evidence.Subject{Kind: "Zone", Name: "east-1b"})
	r := judge(t, s, together, claim("kernel-module-missing", triage.Certain, on("bad-03")), claim("disk-pressure", triage.Likely, on("bad-04")))
	first := r.Findings[0]
	if first.Cause != "kernel-module-missing" || !slices.Contains(first.Explains, "correlated-failure") {
		t.Fatalf("first is %s, which explains %v", first.Cause, first.Explains)
	}
	if len(first.Subjects) != 1 {
		t.Errorf("claimed for %v, want bad-03 alone", first.Subjects)
	}
	if len(first.LikelyOn) != 10 || slices.Contains(first.LikelyOn, on("bad-03")) || slices.Contains(first.LikelyOn, on("bad-04")) {
		t.Errorf("offered for %v, want the ten nodes that nobody looked into", first.LikelyOn)
	}
	for name, c := range map[string]triage.Claim{
		"a possibility":              claim("kernel-module-missing", triage.Possible, on("bad-03")),
		"a cause that stops no node": claim("cordon-left-behind", triage.Certain, on("bad-03")),
		"a cause on a healthy node":  claim("kernel-module-missing", triage.Certain, on("good-03")),
	} {
		for _, f := range judge(t, s, together, c).Findings {
			if len(f.LikelyOn) > 0 {
				t.Errorf("%s is offered for %v", name, f.LikelyOn)
			}
		}
	}
	nameless := judge(t, s, together, claim("kernel-module-missing", triage.Likely, evidence.Subject{})).Findings[0]
	if len(nameless.LikelyOn) != 12 {
		t.Errorf("the cause in a text without a name is offered for %d nodes, want all 12", len(nameless.LikelyOn))
	}
}
