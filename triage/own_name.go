package triage

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// ownName matches the node name that a kubelet uses in its API requests and in its certificate.
var ownName = lazyregexp.New(`(?:getting node \\*"|/api/v1/nodes/|/namespaces/kube-node-lease/leases/|\bsystem:node:)([a-z0-9][a-z0-9.-]{0,252})(?:\\*"|\?timeout|\?resourceVersion|\b)`)

// onlyNode returns the node of all the evidence, if there are no Node objects and the lines and certificates name exactly one.
// Otherwise it returns "".
func onlyNode(s *evidence.Snapshot) string {
	if len(s.Nodes()) > 0 {
		return ""
	}
	var texts, names []string
	for _, m := range s.Matches() {
		texts = append(texts, m.Ref.Text, m.LastText)
	}
	for _, l := range s.Lines() { // the node of their file or path
		if l.Subject.Kind == "Node" && l.Subject.Name != "" && !slices.Contains(names, l.Subject.Name) {
			names = append(names, l.Subject.Name)
		}
	}
	for _, r := range s.Data().NodeReports {
		if r.Kind == nodereport.Kind {
			for _, c := range r.Certificates {
				texts = append(texts, c.Subject)
			}
		}
	}
	for _, text := range texts {
		for _, m := range ownName.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(names, m[1]) {
				names = append(names, m[1])
			}
		}
	}
	if len(names) == 0 {
		names = namedNodes(s)
	}
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// namedNodes returns the nodes that lines of the evidence name, such as the argument of a drain.
func namedNodes(s *evidence.Snapshot) []string {
	found := map[string][]string{}
	for _, l := range s.Lines() {
		if l.Speaker != logline.Application && l.Channel != evidence.Prose {
			namedIn(l.Ref.Text, found)
		}
	}
	return found["node"]
}
