package ask

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/answers/lists"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/report"
	"github.com/nodetriage/nodetriage/wording"
)

// selectNodes returns the names of the nodes that match the selectors. No match is an error.
func selectNodes(s *evidence.Snapshot, selector, fieldSelector string) ([]string, error) {
	byLabels, err := parseLabels(selector)
	if err != nil {
		return nil, err
	}
	byFields, err := lists.ParseFields(fieldSelector, lists.NodeFields)
	if err != nil {
		return nil, usagef("invalid field selector %q: %w", fieldSelector, err)
	}
	var out []string
	var all []labels.Set
	for _, n := range s.Data().Nodes {
		all = append(all, n.Labels)
		if byLabels.Matches(labels.Set(n.Labels)) && byFields.Matches(lists.FieldsOfNode(n)) {
			out = append(out, n.Name)
		}
	}
	if len(out) == 0 {
		by := strings.TrimSpace(selector + " " + fieldSelector)
		return nil, noMatch(byLabels, all, "nodetriage nodes --show-labels", fmt.Errorf("no node matches the selector %q (%s)", by, wording.Count(len(all), "node")))
	}
	return out, nil
}

func parseLabels(selector string) (labels.Selector, error) {
	by, err := labels.Parse(selector)
	if err != nil {
		return nil, usagef("invalid selector %q: %w", selector, err)
	}
	return by, nil
}

// noMatch adds to the error for a selector without a match the nearest key or value that exists, or else the command that shows
// the labels.
func noMatch(by labels.Selector, all []labels.Set, show string, err error) error {
	hint := nearestLabel(by, all)
	if hint == "" {
		hint = show + " shows the labels"
	}
	return &UsageError{&HintError{err, hint}}
}

// nearestLabel returns a hint for the first requirement that no object fulfils; "" if there is nothing to suggest.
func nearestLabel(by labels.Selector, all []labels.Set) string {
	requirements, _ := by.Requirements()
	for _, r := range requirements {
		if slices.ContainsFunc(all, func(set labels.Set) bool { return r.Matches(set) }) {
			continue
		}
		keys, values := labelsOf(all, r.Key())
		if len(values) == 0 {
			return nearestKey(r.Key(), keys)
		}
		return nearestValue(strings.Join(r.ValuesUnsorted(), ","), r.Key(), values)
	}
	return ""
}

// labelsOf returns the keys of all labels, and the values of one.
func labelsOf(all []labels.Set, key string) (keys, values []string) {
	for _, set := range all {
		for k, v := range set {
			keys = append(keys, k)
			if k == key {
				values = append(values, v)
			}
		}
	}
	return distinct(keys), distinct(values)
}

func distinct(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// nearestKey suggests the key that was typed without its prefix, else the nearest one.
func nearestKey(typed string, keys []string) string {
	near := wording.Nearest(typed, keys)
	for _, key := range keys {
		if strings.HasSuffix(key, "/"+typed) {
			near = key
		}
	}
	if near == "" {
		return ""
	}
	return "no label has the key " + report.Clean(typed) + "; did you mean " + report.Clean(near) + "?"
}

// nearestValue suggests the nearest value, else lists the few that exist.
func nearestValue(typed, key string, values []string) string {
	const few = 6
	switch near := wording.Nearest(typed, values); {
	case slices.Contains(values, typed): // the selector excludes it
		return ""
	case near != "":
		return "did you mean " + report.Clean(key+"="+near) + "?"
	case len(values) <= few:
		return "the values of " + report.Clean(key) + " are " + report.Clean(strings.Join(values, ", "))
	}
	return ""
}
