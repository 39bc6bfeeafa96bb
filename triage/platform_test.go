package triage_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/cases/casetest"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// No command is shown that the platform of the node does not have, for any cause.
func TestCommandsOfPlatforms(t *testing.T) {
	cat, _ := casetest.Builtin(t)
	for platform, kind := range casetest.Platforms {
		s := nodes(nodeOf(kind))
		shown := 0
		for _, cause := range cat.Causes() {
			r := judge(t, s, claim(cause.ID, triage.Certain, on("n")))
			for _, f := range r.Findings {
				shown += judgeCommands(t, platform, kind, &f)
			}
		}
		if shown < 150 {
			t.Errorf("%s: only %d commands are shown for all causes", platform, shown)
		}
	}
}

// judgeCommands reports commands that the platform does not have, and returns the number of all commands.
func judgeCommands(t *testing.T, platform string, k casetest.Platform, f *triage.Finding) (shown int) {
	say := func(command, place string) {
		shown++
		if k.Missing(command, place) {
			t.Errorf("%s: %s: %s", platform, f.Cause, command)
		}
	}
	for _, c := range f.Confirm {
		say(string(c.Run), c.Where)
	}
	for _, r := range f.Remedies {
		for _, c := range r.Commands {
			say(string(c), r.Place(c))
		}
	}
	for _, text := range slices.Concat(f.Verify, f.Cautions) {
		if k.Foreign(string(text)) {
			t.Errorf("%s: %s: %s", platform, f.Cause, text)
		}
	}
	return shown
}

// nodeOf returns a NotReady node of the platform.
func nodeOf(k casetest.Platform) *evidence.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	k.Dress(n)
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionFalse, LastTransitionTime: metav1.NewTime(now)}}
	return &evidence.Node{Node: n}
}
