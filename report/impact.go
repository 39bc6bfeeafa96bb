package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// impact is what the evidence shows to be hurt.
type impact struct {
	r     *triage.Report
	hurt  []evidence.Subject // the objects of the findings
	stops string             // what does not work while the first cause lasts
	state string             // workloads and pods that are down
}

func newImpact(r *triage.Report) impact {
	i := impact{r: r, hurt: hurtObjects(r), state: stateSays(r.Impact)}
	if len(r.Findings) > 0 {
		i.stops = r.Findings[0].Impact
	}
	i.stops = ofNewMachine(r, i.stops)
	if i.doubtful() {
		i.stops = "possibly " + i.stops
	}
	if i.unknown() == noPodsOnNode || i.unknown() == noPods {
		i.stops = withoutRunning(i.stops)
	}
	i.stops = oneNode.ReplaceAllString(i.stops, "$1 "+i.whichNode())
	return i
}

// whichNode says which node an impact of one node is about.
func (i impact) whichNode() string {
	nodes, pods := len(namesOf(i.hurt, "Node")), len(namesOf(i.hurt, "Pod"))
	switch {
	case nodes > 1:
		return "these nodes"
	case nodes == 0 && pods == 1:
		return "its node"
	case nodes == 0 && pods > 1:
		return "their nodes"
	}
	return "the node"
}

// ofNewMachine returns the impact of a machine that has not joined the cluster: it has no pods that could be hurt. Without a finding, a
// symptom shows it. An impact that is not about a NotReady node stays.
func ofNewMachine(r *triage.Report, impact string) string {
	about := impact == "" && len(r.Findings) == 0 || strings.Contains(impact, "NotReady")
	at := slices.IndexFunc(r.Symptoms, func(s triage.Symptom) bool { return newMachines[s.ID] != "" })
	read := r.Impact != nil && len(r.Impact.Nodes) > 0
	if !about || at < 0 || read {
		return impact
	}
	return newMachines[r.Symptoms[at].ID]
}

// newMachines are the symptoms of a machine that does not join the cluster, with its impact. A kubelet also registers its node when it
// restarts.
var newMachines = map[string]string{
	"bootstrap-failed":    "this machine has not joined the cluster",
	"node-never-came":     "this machine has not joined the cluster",
	"node-not-registered": "this machine cannot join the cluster; if it had joined, its node is NotReady",
}

// doubtful reports whether nothing shows that the effects of the first cause are there: it is only possible, or neither nodes nor
// pods were read. One condition in a sentence is enough.
func (i impact) doubtful() bool {
	if len(i.r.Findings) == 0 || i.stops == "" || strings.HasPrefix(i.stops, triage.IfItLasts) {
		return false
	}
	return i.r.Findings[0].Certainty == triage.Possible || i.unknown() == nothingRead
}

// nothingRead is what to run if the evidence has neither nodes nor pods.
const nothingRead = "Nodes and pods were not read: kubectl get nodes,pods -A -o wide"

// What the evidence shows if it has all pods and none runs.
const (
	noPodsOnNode = "The node runs no pods"
	noPods       = "The cluster runs no pods"
)

// runningPods matches a clause of an impact about pods that run.
var runningPods = lazyregexp.New(`(?:^|; )[^;]*\b(?:running pods|its pods|Services skip|they are replaced|the pods keep running|other pods|pods may still run)\b[^;]*`)

// withoutRunning returns an impact without its clauses about running pods, unless it has no other.
func withoutRunning(impact string) string {
	return cmp.Or(strings.TrimPrefix(runningPods.ReplaceAllString(impact, ""), "; "), impact)
}

// oneNode matches where the impact of a cause speaks of one node.
var oneNode = lazyregexp.New(`\b(on|of|to|from) the node\b`)

// hurtObjects returns the objects of the findings, and those that the evidence of the first one names. Without a finding they are
// the objects of unexplained symptoms.
func hurtObjects(r *triage.Report) []evidence.Subject {
	var out []evidence.Subject
	seen := map[evidence.Subject]bool{} // thousands of nodes may fail at once
	add := func(list []evidence.Subject) {
		for _, s := range list {
			if s.Name != "" && !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	for i, x := range r.Findings {
		add(x.Subjects)
		if i == 0 {
			add(x.Named)
		}
	}
	for _, x := range r.Symptoms {
		if len(r.Findings) == 0 && x.ExplainedBy == "" {
			add([]evidence.Subject{x.Subject})
		}
	}
	return out
}

// namesOf returns the names of the objects of a kind.
func namesOf(list []evidence.Subject, kind string) []string {
	var out []string
	for _, s := range list {
		if s.Kind == kind {
			out = append(out, strings.TrimPrefix(s.Namespace+"/"+s.Name, "/"))
		}
	}
	return out
}

// objects names up to n nodes, fewer objects of the other kinds, and how many more there are.
func (i impact) objects(n int) string {
	var kinds, out []string
	for _, s := range i.hurt {
		if !slices.Contains(kinds, s.Kind) {
			kinds = append(kinds, s.Kind)
		}
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return rank(a, "Node") - rank(b, "Node") })
	for at, kind := range kinds {
		names := namesOf(i.hurt, kind)
		shown := max(1, n-at)
		if len(names) > 1 {
			kind += "s"
		}
		out = append(out, kind+" "+wording.First(names, shown))
	}
	return strings.Join(out, "; ")
}

// unknown says what the evidence does not show, with the command that shows it.
func (i impact) unknown() string {
	read := i.r.Impact != nil && len(i.r.Impact.Pods) > 0
	nodes := i.r.Impact != nil && len(i.r.Impact.Nodes) > 0
	switch {
	case i.state != "":
		return ""
	case read && len(namesOf(i.hurt, "Node")) == 1:
		return noPodsOnNode
	case read:
		return noPods
	case len(i.hurt) > 0 || nodes:
		return "Pods were not read: kubectl get pods -A -o wide"
	}
	return nothingRead
}

// says returns what is hurt, with up to n nodes: first what is known, then what is not.
func (i impact) says(n int) []string {
	if len(i.r.Findings)+len(i.hurt) == 0 {
		return nonempty(joined(". ", capital(i.stops), capital(i.state)))
	}
	known := joined(". ", capital(joined(": ", i.objects(n), i.stops)), capital(i.state))
	return nonempty(known, i.unknown())
}

func nonempty(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// impactNodes is how many nodes the rows of the impact name, in impactRows rows.
const (
	impactNodes = 3
	impactRows  = 4
)

// impact writes what is hurt, or that nothing is.
func (f *firstPage) impact() {
	i := f.r.hurt
	var forms []form
	for n := impactNodes; n > 0; n-- {
		says := i.says(n)
		if len(says) == 0 {
			return
		}
		rows := f.style.block("Impact", says[0], labelColumns)
		for _, more := range says[1:] {
			rows = append(rows, f.style.block("", more, labelColumns)...)
		}
		if n == 1 || len(rows) <= impactRows {
			forms = append(forms, form{rows, keepHurt})
		}
	}
	if says := joined(": ", i.objects(1), i.stops); says != "" {
		down, _, _ := strings.Cut(i.state, "; ")
		forms = append(forms, form{f.style.block("Impact", capital(joined(". ", says, capital(down))), labelColumns), keepHurt},
			form{rows: f.style.block("Impact", capital(says), labelColumns)})
	}
	f.add(forms...)
}

// unreachable is the state of a node that stopped reporting (NodeFacts.State).
const unreachable = "unreachable"

// impactWorkloads is how many workloads the line of the impact names.
const impactWorkloads = 3

// stateSays describes workloads with too few ready pods and pods that are not running; "" if there is no evidence of any.
func stateSays(i *triage.Impact) string {
	if i == nil {
		return ""
	}
	var names []string
	daemons, missing := 0, 0
	for _, w := range i.Workloads {
		if w.Kind == "DaemonSet" {
			daemons++
			continue
		}
		missing += w.Desired - w.Ready
		state := fmt.Sprintf("%d/%d", w.Ready, w.Desired)
		switch {
		case w.Ready > 0:
		case i.Node != nil && i.Node.State == unreachable: // the control plane marks the pods, and cannot know their containers
			state += " ready (containers may still run)"
		default:
			state += " down"
		}
		names = append(names, strings.TrimPrefix(w.Namespace+"/"+w.Name, "/")+" "+state)
	}
	var out []string
	checked := 0
	for _, n := range i.Checked {
		checked += n
	}
	switch {
	case len(names) > 0:
		out = append(out, wording.First(names, impactWorkloads))
	case checked > i.Checked["DaemonSet"] && daemons == 0:
		out = append(out, "no workload is down or degraded ("+fmt.Sprint(checked)+" checked)")
	}
	if daemons > 0 {
		out = append(out, wording.Counted(daemons, "DaemonSet is missing pods", "DaemonSets are missing pods"))
	}
	if !covered(i, len(names), missing) {
		out = append(out, podsSay(i)...)
	}
	if i.Node != nil && i.Node.Closed {
		out = append(out, "new pods are not scheduled here")
	}
	return strings.Join(out, "; ")
}

// covered reports whether the named workloads lack all the pods that are not ready, so that a count of these would repeat it.
func covered(i *triage.Impact, named, missing int) bool {
	return named > 0 && named <= impactWorkloads && missing == i.Pods[triage.PodOther]+i.Pods[triage.PodPending]
}

// podsSay returns how many pods are not ready and how many are pending, with the names of the first two.
func podsSay(i *triage.Impact) []string {
	var out []string
	total := 0
	for _, n := range i.Pods {
		total += n
	}
	other, pending := i.Pods[triage.PodOther], i.Pods[triage.PodPending]
	switch {
	case total == 0:
		return nil
	case other > 0:
		out = append(out, fmt.Sprintf("%d of %d pods not ready", other, total))
	case pending == 0:
		out = append(out, allOf(total)+wording.Counted(total, "pod is ready", "pods are ready"))
	}
	if pending > 0 {
		out = append(out, wording.Counted(pending, "pod is pending", "pods are pending"))
	}
	if names := namesOf(i.Unready, "Pod"); len(names) > 0 {
		out[len(out)-1] += ": " + wording.First(names, impactPods)
	}
	return out
}

// impactPods is how many pods the line of the impact names.
const impactPods = 2
