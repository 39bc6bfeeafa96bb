package triage

import (
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
)

// maxNamed limits the names of one finding. Its evidence may list every pod of a cluster.
const maxNamed = 50

// named returns the nodes and pods that the evidence of a finding names and that are not among its subjects, and the nodes of its
// pods.
func (g *graph) named(f *Finding, group []*statement) []evidence.Subject {
	var out []evidence.Subject
	add := func(s evidence.Subject) {
		if !f.about[s] && len(out) < maxNamed && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	texts := g.textsOf(f, group)
	for _, text := range texts {
		objectsIn(text, add)
		row, _, _ := strings.Cut(strings.TrimSpace(text), " ") // of a table
		if g.in.Snapshot.Node(row) != nil {
			add(evidence.NodeSubject(row))
		}
	}
	for _, s := range slices.Concat(f.Subjects, out) {
		if p := g.in.Snapshot.Pod(s.Namespace, s.Name); s.Kind == "Pod" && p != nil && p.Node != "" {
			add(evidence.NodeSubject(p.Node))
		}
	}
	if g.around.alone != "" && f.Subject.Name == "" && ofNode(group[0].cause) {
		add(evidence.NodeSubject(g.around.alone))
	}
	named := func(s evidence.Subject) bool { return s.Kind == "Node" && s.Name != "" }
	if !slices.ContainsFunc(slices.Concat(f.Subjects, out), named) { // a drain is refused for its pods, and cordons the node
		effects(group, func(_, name string) { add(evidence.NodeSubject(name)) })
	}
	return out
}

// ofNode reports whether a cause concerns a node: it is in its scope, or it stops its drain.
func ofNode(cause *catalog.Cause) bool { return cause.Scope == "node" || cause.Layer == "drain" }

// textsOf returns the messages of a finding: its evidence, and the other lines that its signatures match. A message that repeats
// may name another object each time.
func (g *graph) textsOf(f *Finding, group []*statement) []string {
	var out []string
	var matched []*signatures.Signature
	for _, st := range group {
		for _, c := range st.claims {
			for _, e := range c.Evidence {
				if e.By == evidence.ByApplication {
					continue // an application may print any name
				}
				out = append(out, e.Text)
				if sig := g.in.Signatures.Lookup(e.Signature); sig != nil && !slices.Contains(matched, sig) {
					matched = append(matched, sig)
				}
			}
		}
	}
	for _, l := range g.in.Snapshot.Lines() {
		if l.Speaker != logline.Application && slices.ContainsFunc(matched, func(sig *signatures.Signature) bool { return sig.Hit(l.Ref.Text) != "" }) {
			out = append(out, l.Ref.Text)
		}
	}
	return out
}

// kindsNamed are the kinds of objects that messages name, by the group of namedInLines.
var kindsNamed = map[string]string{"node": "Node", "volume": "Volume"}

// objectsIn adds the nodes, pods and volumes that a message names.
func objectsIn(text string, add func(evidence.Subject)) {
	text = strings.TrimSpace(text)
	for _, re := range namedInLines {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			group := func(name string) string {
				if i := re.SubexpIndex(name); i > 0 {
					return strings.TrimRight(m[i], ".")
				}
				return ""
			}
			for _, name := range []string{"node", "volume"} {
				if is := group(name); is != "" {
					add(evidence.Subject{Kind: kindsNamed[name], Name: is})
				}
			}
			if space, pod := group("namespace"), group("pod"); pod != "" && space != "" && space != "pod" {
				add(evidence.PodSubject(space, pod))
			}
		}
	}
	machinesIn(text, func(name string) { add(evidence.NodeSubject(name)) })
}
