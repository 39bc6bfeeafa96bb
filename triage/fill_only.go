package triage

import (
	"maps"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// namedOnce are names of objects that a message often gives in another line than the error: the event names the volume, and the output
// of its mount command names the error. They are known if all messages together name one.
var namedOnce = []string{"volume", "dns_name"}

// maxOnly limits the text that is searched for them. A longer one is about many objects.
const maxOnly = 64 << 10

// onlyNamed returns the names that have one value in all messages of components together.
func onlyNamed(s *evidence.Snapshot) map[string]string {
	var texts []string
	size := 0
	add := func(text string) {
		texts = append(texts, text)
		size += len(text)
	}
	for _, m := range s.Matches() {
		if !m.OfApplication {
			add(m.Ref.Text)
		}
	}
	for _, l := range s.Data().Lines {
		if l.Speaker != logline.Application && l.Channel != evidence.Prose {
			add(l.Ref.Text)
		}
	}
	if size > maxOnly {
		return nil
	}
	found := map[string][]string{}
	for _, text := range slices.Compact(slices.Sorted(slices.Values(texts))) {
		namedIn(text, found)
	}
	out := map[string]string{}
	maps.DeleteFunc(found, func(name string, values []string) bool { return len(values) != 1 || !slices.Contains(namedOnce, name) })
	for name, values := range found {
		out[strings.ReplaceAll(name, "_", "-")] = values[0]
	}
	return out
}
