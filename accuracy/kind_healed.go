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

// notShown lists cases whose end another pod does not show, with the reason.
var notShown = map[string]string{
	"kubelet-state-corrupt/contact-4-a-022-cpu-manager-policy-switched":         "two logs, and one ended long before: nothing shows that its clock is that of the API server",
	"kubelet-bug/contact-1-a-002-dbus-connection-closed-by-user":                "the kubelet lost one connection to D-Bus: a pod that starts does not show that systemd answers",
	"kubelet-client-cert-expired/dates-without-a-file-and-a-log-without-a-year": "the dates of a certificate show a state, and not what was",
	"node-lost/lab-silent-after-evictions":                                      "evictions before the fault: they are another one, which a pod that starts does not end",
	"runtime-down/contact-6-a-016-crio-runc-missing":                            "an image without runc: a pod that starts shows the runtime, and not what the image of the node holds",
}

const (
	podRuns = "a pod that runs"
	podGone = "a pod that is gone"
)

// notNow judges an answer about a fault that another pod shows to be over.
func notNow(c *Case, got Answer) Problem {
	other := false // another fault, which continues
	for _, f := range got.Report.Findings {
		if f.Certainty == triage.Possible || f.Severity == catalog.Info {
			continue
		}
		if c.Truth.Accepts(f.Cause) {
			return Problem{"reported as current", f.Cause, fmt.Sprintf("%s is %s: %s", f.Cause, f.Certainty, evidenceOf(f))}
		}
		other = true
		if c.Base().Finding(f.Cause) == nil {
			return Problem{"another cause is reported as current", f.Cause, fmt.Sprintf("%s is %s: %s", f.Cause, f.Certainty, evidenceOf(f))}
		}
	}
	if got.Report.Verdict == triage.Broken && !other {
		return Problem{"broken by a symptom", symptoms(got), "verdict broken, no grave finding; symptoms " + symptoms(got)}
	}
	return Problem{}
}

// keepsPods reports whether no new pod on the node starts while the confirmed cause lasts, because it affects the network of
// every pod, the kubelet or the runtime.
func (c *Case) keepsPods() bool {
	cause := c.engine.catalog.Cause(c.Truth.Class)
	return cause != nil && (cause.EveryPod || c.engine.catalog.Keeps(c.Truth.Class) != "")
}

// healing describes how a case of one node ends by another pod.
type healing struct {
	anotherPod
	names   names
	objects objectEnd
}

// healed returns the evidence of a case without its states, followed by the other pod. Logs and events end with the fault. Only
// the other pod and healthy nodes show that it ended.
func healed(p Play) (out Files, skip string) {
	c := p.Case
	n := namesIn(c.Files.String())
	if skip := notHealed(c, n); skip != "" {
		return nil, skip
	}
	h := newHealing(c, n, p.Variant == podGone)
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

// notHealed returns why another pod cannot show the end of a case, or "".
func notHealed(c *Case, n names) string {
	switch {
	case lasting[c.Truth.Class]:
		return "a cause that does not end by itself, or none"
	case !c.keepsPods():
		return "a fault with which pods of its node start"
	case c.Truth.Class == "clock-skew":
		return "the times of the node are wrong: nothing shows what came later"
	case notShown[c.Name] != "":
		return notShown[c.Name]
	case len(n.nodes) != 1:
		return "it does not name one node"
	}
	return ""
}

// newHealing returns the end of a case after its last line and the last observation of its objects. Without a time in the case,
// the end has none either.
func newHealing(c *Case, n names, gone bool) healing {
	h := healing{anotherPod: anotherPod{node: n.nodes[0], gone: gone}, names: n}
	last := newestObserved(c.Files)
	if logged := lastLogged(c.Files); logged.After(last) {
		last = logged
	}
	if !last.IsZero() {
		h.at = last.Add(healedAfter)
		h.objects = objectEnd{names: n, since: h.at.Add(-10 * time.Second), now: h.at.Add(healedFor), another: true}
	}
	return h
}

// lastLogged returns the time of the last line of all logs, in the zone of its head; zero if there is no date.
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

// zoneOf returns the UTC offset of the first time in a line; 0 if it has none.
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

// file returns one file at the end, and whether it still contains the past.
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

// text returns a text at the end. Events of descriptions become rows of kubectl get events -A, because a description shows the
// state of a deleted pod.
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

// headed reports whether the heads of all log lines name the node.
func headed(block []string, node string) bool {
	return !slices.ContainsFunc(block, func(l string) bool {
		m := journalHead.FindStringSubmatch(l)
		_, timed := headTime(l)
		return timed && (m == nil || m[1] != node)
	})
}

// works returns the rows of working pods in a table.
func works(block []string) []string {
	return slices.DeleteFunc(slices.Clone(block), func(l string) bool {
		m := podRow.FindStringSubmatch(l)
		return m != nil && (m[5] != "Running" || m[2] != m[3])
	})
}

// events returns the rows of a table or of a description, as a table of all namespaces, with those of the other pod.
func (h healing) events(block []string) (out []string, skip string) {
	namespace, about := h.described(block)
	rows, skip := rowsAbout(block, namespace, about)
	if skip != "" || len(rows) == 0 {
		return nil, skip
	}
	out = append(out, "NAMESPACE   LAST SEEN   TYPE      REASON   OBJECT   MESSAGE")
	for _, r := range h.withScheduled(rows) {
		out = append(out, strings.Join([]string{r.namespace, formatAge(r.age + healedAfter + healedFor), r.typ, r.reason, r.object, r.message}, "   "))
	}
	return append(out, h.rows()...), ""
}

// described returns the namespace and the name of the pod that a description is about, or else of the only pod of the case.
func (h healing) described(block []string) (namespace, name string) {
	namespace = "default"
	for _, l := range block {
		switch key, value, _ := strings.Cut(l, ":"); key {
		case "Name":
			name = strings.TrimSpace(value)
		case "Namespace":
			namespace = strings.TrimSpace(value)
		}
	}
	if name == "" && len(h.names.pods) == 1 {
		namespace, name, _ = strings.Cut(h.names.pods[0], "/")
	}
	return namespace, name
}

// rowsAbout returns the rows of a table, or of the description of a pod, with their objects.
func rowsAbout(block []string, namespace, pod string) (rows []eventRow, skip string) {
	for _, l := range block {
		r, ok := parseEventRow(l)
		switch {
		case !ok && agelessRow.MatchString(l):
			return nil, "events whose ages are not told, or in an old form"
		case !ok:
			continue
		case !r.table && pod == "":
			return nil, "events that do not name their pod"
		case !r.table:
			r.object, r.namespace = "pod/"+pod, namespace
		case r.namespace == "":
			r.namespace = namespace
		}
		rows = append(rows, r)
	}
	return rows, ""
}

// withScheduled returns the rows with an event before the first one of each pod that shows its node.
func (h healing) withScheduled(rows []eventRow) (out []eventRow) {
	scheduled := map[string]bool{}
	oldest := time.Duration(0)
	for _, r := range rows {
		oldest = max(oldest, r.age)
		scheduled[r.object] = scheduled[r.object] || r.reason == "Scheduled"
	}
	for _, r := range rows {
		if name, pod := strings.CutPrefix(r.object, "pod/"); pod && !scheduled[r.object] {
			scheduled[r.object] = true
			out = append(out, eventRow{namespace: r.namespace, typ: "Normal", reason: "Scheduled", object: r.object, age: oldest + time.Minute,
				message: "Successfully assigned " + r.namespace + "/" + name + " to " + h.node})
		}
		out = append(out, r)
	}
	return out
}
