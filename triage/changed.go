package triage

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Changed is one trait of a node that two Snapshots tell differently.
type Changed struct {
	What   string `json:"what"`   // kubelet, node image, label NAME, taint KEY, DaemonSet NAMESPACE/NAME, kubelet SETTING
	Before string `json:"before"` // empty: it was not there
	After  string `json:"after"`  // empty: it is not there any more
}

// TraitsChanged are the traits of a node that differ between two Snapshots: versions first, then what says most of a failure.
// What one of the two does not tell is no difference.
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

// SetupChanged are the settings of a node's files that differ between two reports of it, what was changed last first. Here is the later.
func SetupChanged(before, after *nodereport.Report) []Difference {
	if before.Setup == nil || after.Setup == nil {
		return nil
	}
	out := compareSetups(after, []*nodereport.Report{before}, &sameness{}) // its own name and address count here
	sort.SliceStable(out, func(i, j int) bool { return newerFirst(out[i].Since, out[j].Since) < 0 })
	return out[:min(len(out), mostDifferences)]
}

// RereadIn reports of rules whether a Snapshot has what they need, and has it of the subject. A message that is not in other
// texts proves nothing: what rests on messages is read again only where these stood in a field of the subject, which is there
// again, or where the whole evidence is found healthy.
func RereadIn(s *evidence.Snapshot, rules []*Rule, before, after *Report) Reread {
	return func(ids []string, subject evidence.Subject) (bool, string) {
		if subject.Kind == "Node" && s.Covers(evidence.Nodes) == evidence.Complete && s.Node(subject.Name) == nil {
			return false, "the node is not there any more"
		}
		for _, id := range ids {
			i := slices.IndexFunc(rules, func(r *Rule) bool { return r.ID == id })
			if i < 0 {
				return false, "the rule " + id + " is not there any more"
			}
			if missing := rules[i].missing(s); len(missing) > 0 {
				return false, "the later evidence has no " + missing[0].Word()
			}
			if after.Verdict != Healthy && !before.inFields(ids, subject) && slices.Contains(slices.Concat(rules[i].Needs, rules[i].NeedsOne), evidence.Messages) {
				return false, "the later evidence does not have the same texts"
			}
		}
		if p := placeOf(s, subject); subject.Kind == "Node" && p.node == nil {
			return false, "the later evidence does not have the node"
		}
		return true, ""
	}
}

// inFields reports whether what these rules claimed of the subject rests on fields of the subject alone.
func (r *Report) inFields(rules []string, subject evidence.Subject) bool {
	field := strings.ToLower(subject.Kind) + "/" + strings.TrimPrefix(subject.Namespace+"/", "/") + subject.Name
	return !slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return slices.Equal(f.Rules, rules) && slices.Contains(f.subjects(), subject) &&
			slices.ContainsFunc(f.Evidence, func(ref evidence.Ref) bool { return ref.Source != field })
	})
}
