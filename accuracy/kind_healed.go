package accuracy

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

var healedByAnother = kind{
	name: "healed-by-another",
	says: "a fault of a node that keeps its pods from starting, and then another pod that starts there: one that runs, or one that is gone again",
	goal: "nothing of the fault is likely or certain",
	variants: func(*Case) []string {
		return []string{podRuns, podGone}
	},
	change: healed,
	judge:  func(p Play, got Answer) Problem { return notNow(p.Case, got) },
}

// notShown are cases of which another pod does not show the end, with the reason.
var notShown = map[string]string{
	"kubelet-state-corrupt/contact-4-a-022-cpu-manager-policy-switched":         "two logs of which one ended long before: nothing shows that its clock is that of the API server",
	"kubelet-bug/contact-1-a-002-dbus-connection-closed-by-user":                "the kubelet lost one connection to D-Bus: a pod that starts does not show that systemd answers",
	"kubelet-client-cert-expired/dates-without-a-file-and-a-log-without-a-year": "the dates of a certificate show a state, and not what was",
	"node-lost/lab-silent-after-evictions":                                      "evictions before the fault: they are another one, which a pod that starts does not end",
	"runtime-down/contact-6-a-016-crio-runc-missing":                            "an image without runc: a pod that starts shows the runtime, and not what the image of the node holds",
}

const (
	podRuns = "a pod that runs"
	podGone = "a pod that is gone"
)

// notNow holds an answer to evidence of a fault that another pod shows to be over.
func notNow(c *Case, got Answer) Problem {
	other := false // a fault beside it, which goes on
	for _, f := range got.Report.Findings {
		if f.Certainty == triage.Possible || f.Severity == catalog.Info {
			continue
		}
		if c.Truth.Accepts(f.Cause) {
			return Problem{"told as now", f.Cause, fmt.Sprintf("%s is %s: %s", f.Cause, f.Certainty, evidenceOf(f))}
		}
		other = true
		if c.Base().Finding(f.Cause) == nil {
			return Problem{"another cause is told as now", f.Cause, fmt.Sprintf("%s is %s: %s", f.Cause, f.Certainty, evidenceOf(f))}
		}
	}
	if got.Report.Verdict == triage.Broken && !other {
		return Problem{"broken by a symptom", symptoms(got), "verdict broken, no grave finding; symptoms " + symptoms(got)}
	}
	return Problem{}
}

// keepsPods reports whether no pod that is made on the node starts while the confirmed cause lasts: it takes the network of every one, or
// the node's kubelet or runtime.
func (c *Case) keepsPods() bool {
	cause := c.engine.catalog.Cause(c.Truth.Class)
	return cause != nil && (cause.EveryPod || c.engine.catalog.Keeps(c.Truth.Class) != "")
}

// healing is how a case of one node ends by another pod.
type healing struct {
	anotherPod
	names   names
	objects objectEnd
}

// healed is the evidence of a case without what shows a state, and after it the other pod. Logs end with the fault, and so do events: what
// ended it shows nowhere but in the other pod, and in nodes that are well.
func healed(p Play) (out Files, skip string) {
	c := p.Case
	n := namesIn(c.Files.String())
	switch {
	case lasting[c.Truth.Class]:
		return nil, "a cause that does not end by itself, or none"
	case !c.keepsPods():
		return nil, "a fault with which pods of its node start"
	case c.Truth.Class == "clock-skew":
		return nil, "the times of the node are wrong: nothing shows what came later"
	case notShown[c.Name] != "":
		return nil, notShown[c.Name]
	case len(n.nodes) != 1:
		return nil, "it does not name one node"
	}
	last := newestObserved(c.Files)
	if logged := lastLogged(c.Files); logged.After(last) {
		last = logged
	}
	h := healing{anotherPod: anotherPod{node: n.nodes[0], gone: p.Variant == podGone}, names: n}
	if !last.IsZero() {
		h.at = last.Add(healedAfter)
		h.objects = objectEnd{names: n, since: h.at.Add(-10 * time.Second), now: h.at.Add(healedFor), another: true}
	}
	remembers := false
	for _, f := range c.Files {
		if observed[path.Base(f.Name)] && len(c.Files) > 1 {
			continue
		}
		text, remembered, skip := h.file(f)
		if skip != "" {
			return nil, skip
		}
		remembers = remembers || remembered
		if strings.TrimSpace(text) != "" {
			out = append(out, File{f.Name, text})
		}
	}
	switch {
	case !remembers:
		return nil, "nothing in it remembers: tables and objects show what is"
	case !c.Files.bundled() && !h.at.IsZero():
		out = append(out, h.files()...)
	}
	return resummed(out), ""
}

// lastLogged is the time of the last line of all logs, in the zone that its head tells. Zero: none tells a date.
func lastLogged(files Files) (last time.Time) {
	span, ok := spanOf(files)
	if !ok {
		return last
	}
	for _, f := range files {
		if f.objects() {
			continue
		}
		for _, l := range lines(f.Text) {
			t, year, ok := head(l)
			if !ok {
				continue
			}
			if !year {
				t = inYear(t, span.year)
			}
			if t = t.Add(-zoneOf(l)); t.After(last) {
				last = t
			}
		}
	}
	return last
}

var zone = regexp.MustCompile(`^(?:[.,]\d+)? ?([+-])(\d\d):?(\d\d)\b`)

// zoneOf is how far the clock of the first time in a line is ahead of UTC; 0: the line does not tell.
func zoneOf(line string) time.Duration {
	all := stamps(line)
	if len(all) == 0 {
		return 0
	}
	m := zone.FindStringSubmatch(line[all[0].to:])
	if m == nil {
		return 0
	}
	d := parseAge(m[2]+"h") + parseAge(m[3]+"m")
	if m[1] == "-" {
		return -d
	}
	return d
}

// file is one file at the end, and whether it still tells of what was.
func (h healing) file(f File) (text string, remembers bool, skip string) {
	if !f.objects() {
		return h.text(f)
	}
	d, ok := parseDocument(f)
	if !ok {
		return "", false, "objects that are cut off or written by hand"
	}
	if h.at.IsZero() {
		return "", false, "objects that show no time"
	}
	warned := false
	d.each(func(_ string, o object) { warned = warned || textAt(o, "type") == "Warning" })
	if len(d.lists()) == 0 && len(d.roots) == 1 && textAt(d.roots[0], "kind") == "Pod" {
		return "", false, "" // it failed, and is gone
	}
	if skip := h.objects.end(d); skip != "" {
		return "", false, skip
	}
	for _, l := range d.lists() {
		h.bundled(l)
	}
	return d.text(), warned, ""
}

// text is a text at the end. Events of descriptions are told as kubectl get events -A does: a description shows the state of a pod that
// is gone.
func (h healing) text(f File) (text string, remembers bool, skip string) {
	var out []string
	for _, b := range blocks(f.Text) {
		switch b.form {
		case formLog:
			if !headed(b.lines, h.node) {
				return "", false, "a log whose lines do not begin with their node"
			}
			if h.at.IsZero() {
				return "", false, "a log that counts from the start of its machine"
			}
			out = append(out, b.lines...)
			remembers = true
		case formEvents, formPod:
			rows, skip := h.events(b.lines)
			if skip != "" {
				return "", false, skip
			}
			out = append(out, rows...)
			remembers = remembers || len(rows) > 0
		case formNodes:
			out = append(out, endNodes(b.lines)...)
		case formPods:
			out = append(out, works(b.lines)...)
		case formCommand:
		case formNode:
			return "", false, "the description of a node shows its state"
		default:
			if !harmless(b.lines) && (b.form != formTable || !unchanged(b.lines)) {
				return "", false, "other text, which shows no time"
			}
		}
	}
	return unlines(out), remembers, ""
}

// headed reports whether all lines of a log tell in their heads that they are of the node.
func headed(block []string, node string) bool {
	return !slices.ContainsFunc(block, func(l string) bool {
		m := journalHead.FindStringSubmatch(l)
		_, timed := headTime(l)
		return timed && (m == nil || m[1] != node)
	})
}

// works are the rows of a table of pods that work.
func works(block []string) []string {
	return slices.DeleteFunc(slices.Clone(block), func(l string) bool {
		m := podRow.FindStringSubmatch(l)
		return m != nil && (m[5] != "Running" || m[2] != m[3])
	})
}

// events are the rows of a table or of a description, as a table of all namespaces, with those of the other pod.
func (h healing) events(block []string) (out []string, skip string) {
	about, namespace := "", "default"
	for _, l := range block {
		switch key, value, _ := strings.Cut(l, ":"); key {
		case "Name":
			about = strings.TrimSpace(value)
		case "Namespace":
			namespace = strings.TrimSpace(value)
		}
	}
	if about == "" && len(h.names.pods) == 1 {
		namespace, about, _ = strings.Cut(h.names.pods[0], "/")
	}
	var rows []eventRow
	for _, l := range block {
		r, ok := parseEventRow(l)
		switch {
		case !ok && agelessRow.MatchString(l):
			return nil, "events whose ages are not told, or in an old form"
		case !ok:
			continue
		case !r.table && about == "":
			return nil, "events that do not name their pod"
		case !r.table:
			r.object, r.namespace = "pod/"+about, namespace
		case r.namespace == "":
			r.namespace = namespace
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return nil, ""
	}
	out = append(out, "NAMESPACE   LAST SEEN   TYPE      REASON   OBJECT   MESSAGE")
	placed := map[string]bool{}
	oldest := time.Duration(0)
	for _, r := range rows {
		oldest = max(oldest, r.age)
		placed[r.object] = placed[r.object] || r.reason == "Scheduled"
	}
	row := func(r eventRow, age time.Duration) {
		out = append(out, strings.Join([]string{r.namespace, formatAge(age + healedAfter + healedFor), r.typ, r.reason, r.object, r.message}, "   "))
	}
	for _, r := range rows {
		if name, pod := strings.CutPrefix(r.object, "pod/"); pod && !placed[r.object] {
			placed[r.object] = true
			row(eventRow{namespace: r.namespace, typ: "Normal", reason: "Scheduled", object: r.object, message: "Successfully assigned " + r.namespace + "/" + name + " to " + h.node}, oldest+time.Minute)
		}
		row(r, r.age)
	}
	return append(out, h.rows()...), ""
}
