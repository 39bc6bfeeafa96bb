package accuracy

import (
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

var twoAtOnce = kind{
	name: "two-at-once",
	says: "two cases at one time, each on a separate node",
	goal: "both are found, each on its subject, neither explains the other",
	partner: func(all []*Case, c *Case, rnd *rand.Rand) (*Case, string) {
		if skip := alone(c); skip != "" {
			return nil, skip
		}
		return choose(all, c, rnd, func(with *Case) bool { return alone(with) == "" && sameLists(c, with) && oneDay(c, with) })
	},
	change: func(p Play) (Files, string) {
		a, b := p.Case.Files, p.With.Files
		mine, theirs := namesIn(a.String()), namesIn(b.String())
		other := map[string]string{}
		for _, n := range theirs.nodes {
			if slices.Contains(mine.nodes, n) && renamable(n) {
				other[n] = n + "-b"
			}
		}
		b = b.renamed(other)
		theirs = namesIn(b.String())
		if now, ok := spanOf(a); ok {
			if then, ok := spanOf(b); ok {
				d := now.last.Sub(then.last).Truncate(time.Second)
				b = b.each(func(f File) string { return shiftText(f.Text, d) })
			}
		}
		return append(onNode(p.Case, a, "a", mine), onNode(p.With, b, "b", theirs)...), ""
	},
	judge: bothFound,
}

// alone returns why a case cannot be combined with another.
func alone(c *Case) string {
	switch {
	case first(c.Base()) == "nothing":
		return "a case without a cause"
	case c.Files.bundled():
		return "a bundle: it holds one whole cluster"
	case strings.HasPrefix(c.Truth.Class, "volume-") || strings.HasPrefix(c.Truth.Class, "statefulset-"):
		return "a fault between two nodes: the other may be its cause"
	case !placed(c):
		return "it names no node: nothing tells the two apart"
	case len(c.Base().Report.Cohorts) > 0 || c.Truth.Class == "correlated-failure":
		return "a fault of many nodes"
	}
	for _, f := range c.Files {
		if f.objects() && strings.HasPrefix(strings.TrimSpace(f.Text), "[") {
			return "an answer of a cloud"
		}
	}
	return ""
}

// placed reports whether every file of a case identifies its node: by name, or because it was saved there.
func placed(c *Case) bool {
	for _, f := range c.Files {
		if !c.fromNode(f) && len(namesIn(f.Text).nodes) == 0 {
			return false
		}
	}
	return len(c.Files) > 0
}

// oneDay reports whether two cases can share one time, if that matters. The times of objects stay as recorded, and other nodes
// expose a wrong clock. Heartbeats of two days look like one.
func oneDay(a, b *Case) bool {
	if !slices.ContainsFunc(append(slices.Clone(a.Files), b.Files...), File.objects) {
		return true
	}
	if a.Truth.Accepts("clock-skew") || b.Truth.Accepts("clock-skew") {
		return false
	}
	from, to := a.Base().Report.TakenAt, b.Base().Report.TakenAt
	return from == nil || to == nil || from.Sub(*to).Abs() < 24*time.Hour || !slices.Contains(listsOf(a), "Lease")
}

// sameLists reports whether both cases contain lists of the same kinds. A pod that is missing in a complete list is gone, and a
// node that is missing in the list of nodes was deleted.
func sameLists(a, b *Case) bool { return fmt.Sprint(listsOf(a)) == fmt.Sprint(listsOf(b)) }

func listsOf(c *Case) []string {
	var out []string
	for _, f := range c.Files {
		if d, ok := parseDocument(f); ok {
			d.each(func(kind string, _ object) { out = add(out, kind) })
			continue
		}
		for _, b := range blocks(f.Text) {
			if b.form == formNodes || b.form == formPods {
				out = add(out, string(b.form))
			}
		}
	}
	slices.Sort(out)
	return out
}

// onNode moves files that were saved on a node into a folder of that node, and marks all other files with a letter.
func onNode(c *Case, files Files, mark string, n names) Files {
	node := "node-" + mark
	if len(n.nodes) > 0 {
		node = n.nodes[0]
	}
	var out Files
	for _, f := range files {
		if c.fromNode(f) {
			f.Name = "hosts/" + node + "/" + f.Name
		} else {
			f.Name = path.Join("cluster-"+mark, f.Name)
		}
		out = append(out, f)
	}
	return out
}

// fromNode reports whether a file was saved on a node, and is not from the API server or a cloud. A file without a writer
// counts as saved there, if the cause is one of a node.
func (c *Case) fromNode(f File) bool {
	if f.objects() {
		return false
	}
	seen := false
	for _, b := range blocks(f.Text) {
		if b.form != formLog && b.form != formOther {
			return false
		}
		for _, l := range b.lines {
			switch speakerOf(l, f.Name) {
			case kubelet, containerd, crio, docker, kernel, systemd:
				seen = true
			case "":
			default:
				return false
			}
		}
	}
	return seen || c.scope() == "node" && !commanded.MatchString(f.Text)
}

// commanded matches texts from a tool of a cluster or a cloud.
var commanded = regexp.MustCompile(`(?m)\b(?:kubectl|oc|az|gcloud|eksctl|helm|kops|drain|evict\w*|upgrade|nodepool|subscriptions)\b`)
