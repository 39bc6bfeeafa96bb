package paste

import (
	"slices"
	"strings"
)

// schema is one kind of table: the columns that identify it, and the function for its rows.
type schema struct {
	need []string
	// row reads one row. It returns false if the line is not a row of this table.
	row func(t *table, c cells, l line) bool
}

// schemas are tried in this order; the first one whose columns all exist reads the rows.
var schemas = []schema{
	{[]string{"READY", "STATUS", "RESTARTS", "AGE"}, podRow},
	{[]string{"NAME", "STATUS", "ROLES", "AGE"}, nodeRow},
	{[]string{"NAME", "STATUS", "AGE", "VERSION"}, nodeRow},
	{[]string{"NAME", "TAINTS"}, nodeTaintsRow},
	{[]string{"NAME", "PROVIDERID", "PHASE", "AGE"}, machineRow},
	{[]string{"NAME", "PHASE", "TYPE", "ZONE", "AGE"}, machineRow},
	{[]string{"NAME", "TYPE", "ZONE", "NODE", "READY", "AGE"}, claimedNodeRow},
	{[]string{"TYPE", "REASON", "MESSAGE", "LASTSEEN"}, eventRow},
	{[]string{"NAME", "CPU(CORES)", "MEMORY(BYTES)", "CPU%"}, topNodeRow},
	{[]string{"NAME", "CPU(CORES)", "MEMORY(BYTES)", "CPU(%)"}, topNodeRow},
	{[]string{"NAME", "CPU(CORES)", "MEMORY(BYTES)"}, topPodRow},
	{[]string{"NAME", "ALLOWEDDISRUPTIONS"}, pdbRow},
	{[]string{"NAME", "MINAVAILABLE", "MAXUNAVAILABLE"}, pdbRow},
	{[]string{"NAME", "DESIRED", "CURRENT", "NODESELECTOR"}, daemonSetRow},
	{[]string{"NAME", "DESIRED", "CURRENT", "UPTODATE", "AVAILABLE"}, deploymentRow},
	{[]string{"NAME", "READY", "UPTODATE", "AVAILABLE"}, deploymentRow},
	{[]string{"NAME", "COMPLETIONS"}, jobRow},
	{[]string{"NAME", "DESIRED", "CURRENT", "READY", "AGE"}, replicaSetRow},
	{[]string{"NAME", "DESIRED", "CURRENT", "AGE"}, statefulSetRow},
	{[]string{"NAME", "READY", "AGE"}, statefulSetRow},
	{[]string{"NAME", "STATUS", "VOLUME", "CAPACITY"}, claimRow},
	{[]string{"NAME", "CAPACITY", "STATUS", "CLAIM"}, volumeRow},
	{[]string{"NAME", "ATTACHER", "NODE", "ATTACHED"}, attachmentRow},
	{[]string{"NAME", "REQUESTOR", "CONDITION"}, csrRow},
	{[]string{"NAME", "HOLDER", "AGE"}, leaseRow},
	{[]string{"NAME", "WEBHOOKS", "AGE"}, webhookRow},
	{[]string{"NAME", "STATUS", "AGE"}, nodeRow}, // first versions; namespaces look the same
	{[]string{"CONTAINER", "IMAGE", "STATE", "NAME"}, crictlContainerRow},
	{[]string{"CONTAINERID", "IMAGE", "STATE", "NAME"}, crictlContainerRow},
	{[]string{"POD", "STATE", "NAME", "NAMESPACE", "ATTEMPT"}, crictlPodRow},
	{[]string{"PODID", "STATE", "NAME", "NAMESPACE", "ATTEMPT"}, crictlPodRow},
	{[]string{"CONTAINERID", "IMAGE", "COMMAND", "STATUS", "NAMES"}, dockerContainerRow},
	{[]string{"CERTIFICATE", "EXPIRES", "RESIDUALTIME"}, kubeadmCertificateRow},
	{[]string{"CERTIFICATEAUTHORITY", "EXPIRES", "RESIDUALTIME"}, kubeadmCertificateRow},
	{[]string{"UNIT", "LOAD", "ACTIVE", "SUB"}, unitRow},
}

// table reads the rows below a header.
type table struct {
	p     *page
	ask   kubectl
	cols  columns
	row   func(t *table, c cells, l line) bool
	blank bool // the last line was empty
	any   bool // a row was read
}

// HeadsTable reports whether a line is the header of a kubectl table.
func HeadsTable(line string) bool {
	first, _, _ := strings.Cut(line, " ")
	if first != "NAME" && !slices.Contains(strings.Fields(tableHeads), first) {
		return false
	}
	_, ok := header(line, true)
	return ok
}

// startTable starts a table at its header.
func startTable(p *page, l line) reader {
	cols, ok := header(l.text, true)
	if !ok {
		return nil
	}
	for _, s := range schemas {
		if cols.has(s.need...) {
			answeredAgain(p, l)
			return &table{p: p, ask: p.command().kubectl(), cols: cols, row: s.row}
		}
	}
	return nil
}

// take accepts rows, a line of dots for omitted rows, and single empty lines between rows.
func (t *table) take(l line) bool {
	if l.text == "" {
		if t.blank {
			return false
		}
		t.blank = true
		return true
	}
	t.blank = false
	if isDots(l.text) {
		return true
	}
	row, ok := t.cols.split(bullets.Replace(l.text))
	if !ok || !t.row(t, row, l) {
		return false
	}
	t.any = true
	return true
}

func (t *table) close(ending) {}

// bullets are systemd's marks before a row, in place of indentation.
var bullets = strings.NewReplacer("● ", "  ", "○ ", "  ", "× ", "  ")

// isDots reports whether a line represents omitted lines.
func isDots(text string) bool {
	for _, c := range text {
		if c != '.' && c != ' ' && c != '…' && c != '\t' {
			return false
		}
	}
	return true
}
