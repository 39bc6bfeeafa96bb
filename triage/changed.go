package triage

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Changed is one trait of a node that differs between two Snapshots.
type Changed struct {
	What   string `json:"what"`   // kubelet, node image, label NAME, taint KEY, DaemonSet NAMESPACE/NAME, kubelet SETTING
	Before string `json:"before"` // empty: not present
	After  string `json:"after"`  // empty: removed
}

// TraitsChanged returns the traits of a node that differ between two Snapshots: versions first, then the best hints at a failure. A
// trait that one Snapshot does not show is not a difference.
func TraitsChanged(before, after *evidence.Snapshot, name string) []Changed {
	a, b := before.Node(name), after.Node(name)
	if a == nil || b == nil {
		return nil
	}
	out := []Changed{}
	for _, at := range attributes {
		if was, is := at.of(a), at.of(b); was != is && was != "" && is != "" {
			out = append(out, Changed{at.name, was, is})
		}
	}
	one, two := newComparer(before), newComparer(after)
	all := map[trait]bool{}
	one.each(a, func(t trait, _ string) { all[t] = true })
	two.each(b, func(t trait, _ string) { all[t] = true })
	for _, t := range slices.SortedFunc(maps.Keys(all), compareTraits) {
		was, told := one.of(a, t)
		is, tells := two.of(b, t)
		if told && tells && was != is {
			out = append(out, Changed{t.String(), was, is})
		}
	}
	return out
}

// SetupChanged returns the settings of a node's files that differ between two of its reports, the newest change first. Here is the
// value in the later report.
func SetupChanged(before, after *nodereport.Report) []Difference {
	if before.Setup == nil || after.Setup == nil {
		return nil
	}
	out := compareSetups(after, []*nodereport.Report{before}, &sameness{}) // no placeholders: a changed name or address counts
	sort.SliceStable(out, func(i, j int) bool { return newerFirst(out[i].Since, out[j].Since) < 0 })
	return out[:min(len(out), mostDifferences)]
}

// RereadIn returns a Reread that reports whether a Snapshot has what the rules need, for the subject. A missing message in other
// texts proves nothing. So findings from messages are judged again only if the messages were in fields of the subject, or if the
// later evidence is HEALTHY.
func RereadIn(s *evidence.Snapshot, rules []*Rule, before, after *Report) Reread {
	return func(ids []string, subject evidence.Subject) (bool, string) {
		if subject.Kind == "Node" && s.Covers(evidence.Nodes) == evidence.Complete && s.Node(subject.Name) == nil {
			return false, "the node no longer exists"
		}
		for _, id := range ids {
			i := slices.IndexFunc(rules, func(r *Rule) bool { return r.ID == id })
			if i < 0 {
				return false, "rule " + id + " no longer exists"
			}
			if missing := rules[i].missing(s); len(missing) > 0 {
				return false, "the later evidence contains no " + missing[0].Word()
			}
			if after.Verdict != Healthy && !before.inFields(ids, subject) && slices.Contains(slices.Concat(rules[i].Needs, rules[i].NeedsOne), evidence.Messages) {
				return false, "the later evidence does not contain the same texts"
			}
		}
		if p := placeOf(s, subject); subject.Kind == "Node" && p.node == nil {
			return false, "the later evidence does not contain the node"
		}
		return true, ""
	}
}

// inFields reports whether the claims of these rules on the subject rest only on fields of the subject.
func (r *Report) inFields(rules []string, subject evidence.Subject) bool {
	field := strings.ToLower(subject.Kind) + "/" + strings.TrimPrefix(subject.Namespace+"/", "/") + subject.Name
	return !slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return slices.Equal(f.Rules, rules) && slices.Contains(f.subjects(), subject) &&
			slices.ContainsFunc(f.Evidence, func(ref evidence.Ref) bool { return ref.Source != field })
	})
}
