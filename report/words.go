package report

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// since formats when something began and how long ago that is, if both are known.
func since(t, now *time.Time) string {
	if t == nil {
		return ""
	}
	out := "since " + wording.Instant(*t)
	if now != nil && now.Sub(*t) >= time.Second {
		out += " (" + wording.Duration(now.Sub(*t)) + ")"
	}
	return out
}

// subjects names up to n subjects of one kind, nodes first, and counts the other kinds. Subjects without a name in the evidence
// are omitted.
func subjects(list []evidence.Subject, n int) string { return subjectsFrom("Node", list, n) }

// subjectsFrom is subjects with those of a kind first.
func subjectsFrom(first string, list []evidence.Subject, n int) string {
	names := map[string][]string{}
	for _, s := range distinct(list) {
		if !s.IsZero() && s != evidence.NodeSubject("") { // a node whose name the evidence does not contain
			names[s.Kind] = append(names[s.Kind], strings.TrimPrefix(s.String(), s.Kind+" "))
		}
	}
	kinds := sortedKeys(names)
	slices.SortStableFunc(kinds, func(a, b string) int { return rank(a, first) - rank(b, first) })
	var out []string
	for i, kind := range kinds {
		switch {
		case len(names[kind]) == 1:
			out = append(out, strings.TrimSpace(kind+" "+strings.TrimPrefix(names[kind][0], kind)))
		case i == 0:
			out = append(out, counted(kind, len(names[kind]))+": "+wording.First(names[kind], n))
		default:
			out = append(out, counted(kind, len(names[kind])))
		}
	}
	return strings.Join(out, "; ")
}

func rank(kind, first string) int {
	switch kind {
	case first:
		return 0
	case "Node":
		return 1
	}
	return 2
}

// quotedKind returns the kind of the subject that the first evidence of a finding names. A row about the subjects begins with
// it, so that it agrees with the quoted line.
func quotedKind(x *triage.Finding) string {
	if len(x.Evidence) > 0 {
		e := x.Evidence[0]
		for _, s := range x.Subjects {
			if s.Name != "" && strings.Contains(e.Text+" "+e.Locator+" "+e.Source, s.Name) {
				return s.Kind
			}
		}
	}
	return "Node"
}

// counted returns a number of subjects of a kind: 3 nodes.
func counted(kind string, n int) string {
	return wording.Count(n, strings.ToLower(kind))
}

// whom names the only subject, or counts the subjects of each kind.
func whom(list []evidence.Subject) string {
	kinds := map[string]int{}
	only := ""
	for _, s := range distinct(list) {
		if !s.IsZero() {
			kinds[s.Kind]++
			only = s.String()
		}
	}
	if len(kinds) == 1 && kinds[strings.SplitN(only, " ", 2)[0]] == 1 {
		return only
	}
	return strings.Join(apply(sortedKeys(kinds), func(k string) string {
		return counted(k, kinds[k])
	}), ", ")
}

// distinct removes the node without a name if other nodes have one, because it may be one of them.
func distinct(list []evidence.Subject) []evidence.Subject {
	unnamed := evidence.NodeSubject("")
	if !slices.ContainsFunc(list, func(s evidence.Subject) bool { return s.Kind == "Node" && s != unnamed }) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(s evidence.Subject) bool { return s == unnamed })
}

// joined joins the parts that are not empty.
func joined(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

func apply[T, R any](list []T, f func(T) R) []R {
	out := make([]R, 0, len(list))
	for _, v := range list {
		out = append(out, f(v))
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
