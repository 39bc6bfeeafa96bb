package nodetriage_test

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
)

// A law of Kubernetes stands in mechanics and nowhere else: two copies drift apart, and then two commands give two answers
// about one pod. Names find a copy that was meant as one; what a law must touch finds the others.

// lawNames are names of functions that would state a law again.
var lawNames = regexp.MustCompile(`(?i)^(un)?tolerate[sd]?(taint|cordon)?$|^(required)?(affine|affinity)$|^eviction(due|at)$|^stayUnder$|` +
	`^(default|daemon)(tolerations|spec)$|^heartbeatGrace$|^(re|dis)count(budget)?$|^desiredHealthy$|^asksBudgets$|^classify$|^loses$|^grace(Of|Period)$|^priority(Of)?$|^serverMinor$`)

// sameName are functions that have such a name and state no law, with what they are.
var sameName = map[string]string{
	"triage/rules/facts.Untolerated":            "leaves out the taints of the control plane and asks mechanics",
	"mechanics/placement/scheduler.untolerated": "the words of old schedulers for a taint that mechanics finds",
	"answers/upgrade.recount":                   "lets mechanics count, and pods be tried again",
	"cases.tolerates":                           "of a case, not of a pod",
}

// seenElsewhere are files that may touch what a law rests on, with the reason.
var seenElsewhere = map[string]string{
	"collect/paste/taints.go":       "reads the effects of taints from text",
	"collect/paste/table_policy.go": "reads the figures of budgets from a table",
	"collect/paste/describe_pod.go": "reads tolerations from text",
	"ask/predict.go":                "an option of a scenario",
	"cmd/nodetriage/predict.go":     "a flag of a scenario",
	"evidence/workload.go":          "keeps one template for a Deployment and its ReplicaSets",
	"answers/predict/scenario.go":   "a field of a scenario",
	"answers/predict/toleration.go": "changes the seconds of tolerations as the scenario asks",
	"answers/predict/settings.go":   "the garbage collector's quarantine is 40 s too",
}

var operator = regexp.MustCompile(`^(TolerationOp|NodeSelectorOp|TaintEffect)[A-Z]`)

func TestLawsOfKubernetesStandOnce(t *testing.T) {
	used := map[string]bool{}
	eachSource(t, func(name string, file *ast.File) {
		dir := path.Dir(name)
		if strings.HasSuffix(name, "_test.go") || dir == "mechanics" {
			return
		}
		say := func(format string, args ...any) {
			if seenElsewhere[name] != "" {
				used[name] = true
				return
			}
			t.Errorf(name+" "+format+": that is a law of Kubernetes; ask mechanics", args...)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if law := dir + "." + n.Name.Name; lawNames.MatchString(n.Name.Name) {
					if used[law] = true; sameName[law] == "" {
						t.Errorf("%s declares %s: that is a law of Kubernetes; ask mechanics", name, n.Name.Name)
					}
				}
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					judgeComparison(say, n.X, n.Y)
					judgeComparison(say, n.Y, n.X)
				}
				if n.Op == token.MUL && (isHeartbeat(n.X) && isSecond(n.Y) || isHeartbeat(n.Y) && isSecond(n.X)) {
					say("has 40 or 50 s, the grace period of heartbeats")
				}
			case *ast.CaseClause:
				for _, x := range n.List {
					if s := selected(x); operator.MatchString(s) {
						say("decides by %s", s)
					}
				}
			case *ast.SwitchStmt:
				if isOwnerKind(n.Tag) {
					say("decides by the kind of an owner")
				}
			case *ast.IncDecStmt:
				judgeBudget(say, n.X)
			case *ast.AssignStmt:
				for _, x := range n.Lhs {
					judgeBudget(say, x)
				}
			case *ast.SelectorExpr:
				switch n.Sel.Name {
				case "ToleratesTaint":
					say("calls %s", n.Sel.Name)
				case "TolerationSeconds":
					if selected(n.X) != "sc" { // that is a scenario's
						say("reads tolerationSeconds")
					}
				}
			}
			return true
		})
	})
	for law, why := range sameName {
		if !used[law] {
			t.Errorf("sameName speaks of %s (%s), which does not exist any more", law, why)
		}
	}
	for file, why := range seenElsewhere {
		if !used[file] {
			t.Errorf("seenElsewhere speaks of %s (%s), which needs that no more", file, why)
		}
	}
}

// judgeComparison finds comparisons of operators and effects, and of the kind of an owner with a word.
func judgeComparison(say func(string, ...any), x, y ast.Expr) {
	if s := selected(x); operator.MatchString(s) {
		say("compares with %s", s)
	}
	if word, ok := y.(*ast.BasicLit); ok && isOwnerKind(x) && word.Value != `""` {
		say("compares the kind of an owner with %s", word.Value)
	}
}

// judgeBudget finds what counts on a budget's status.
func judgeBudget(say func(string, ...any), x ast.Expr) {
	if s, ok := x.(*ast.SelectorExpr); ok && selected(s.X) == "Status" && (s.Sel.Name == "DisruptionsAllowed" || s.Sel.Name == "CurrentHealthy") {
		say("changes %s of a budget", s.Sel.Name)
	}
}

func isOwnerKind(x ast.Expr) bool {
	s, ok := x.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Kind" && selected(s.X) == "Owner"
}

func isHeartbeat(x ast.Expr) bool {
	l, ok := x.(*ast.BasicLit)
	return ok && (l.Value == "40" || l.Value == "50")
}

func isSecond(x ast.Expr) bool { return selected(x) == "Second" }

// selected is the last name of an expression like a.b.C, or "".
func selected(x ast.Expr) string {
	if s, ok := x.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}
