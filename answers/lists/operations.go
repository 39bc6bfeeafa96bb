package lists

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
	"github.com/nodetriage/nodetriage/wording"
)

// Operations are cloud operations, and the states of the cloud's clusters and pools.
type Operations struct {
	Head
	States     []CloudState `json:"states"`
	Operations []Operation  `json:"operations"`
}

// CloudState is the state of a cluster or a pool in the cloud.
type CloudState struct {
	Kind    string   `json:"kind"` // cluster or pool
	Name    string   `json:"name"`
	Version string   `json:"version"`
	State   string   `json:"state"` // the state of its last change
	Power   string   `json:"power"`
	Odd     []string `json:"odd"`
}

// Operation is one request to the cloud with all its steps.
type Operation struct {
	Began     *time.Time `json:"began"` // null: unknown
	Ended     *time.Time `json:"ended"` // null: it is running, or has one entry
	Operation string     `json:"operation"`
	Resource  string     `json:"resource"` // id of the target
	Status    string     `json:"status"`   // in the cloud's term: of the whole
	Caller    string     `json:"caller"`
	Steps     int        `json:"steps"`   // entries of the log
	Failed    int        `json:"failed"`  // number of failed ones
	Code      string     `json:"code"`    // of the innermost error
	Codes     []string   `json:"codes"`   // of that step's errors, the outermost first
	Message   string     `json:"message"` // of the innermost error
	Target    string     `json:"target"`  // the object on which it failed
	ID        string     `json:"id"`      // the id for the cloud's support
	// Later: the same operation was repeated on the same target, and succeeded.
	Later bool     `json:"later"`
	Odd   []string `json:"odd"`
}

// NewOperations lists the operations, the newest first.
func NewOperations(s *evidence.Snapshot, at time.Time, ask cloud.Asking, by Filter, order string) (*Operations, error) {
	if err := sortBy([]Operation(nil), order, operationColumns); err != nil {
		return nil, err
	}
	b := newBase(s, at, by)
	if b.at.IsZero() {
		b.at = newestActivity(s)
	}
	out := &Operations{Head: b.head("OperationList"), States: []CloudState{}, Operations: []Operation{}}
	b.standing(out, ask)
	stories := stories(s)
	if len(stories) == 0 {
		out.noLog(s, ask)
	}
	touches, onPool := b.touches(), false
	for _, entries := range stories {
		row := b.operation(entries)
		here := touches(entries)
		onPool = onPool || here
		if !here || !b.chosen(row) {
			out.Hidden++
			continue
		}
		if len(row.Odd) > 0 && out.Verdict == triage.Healthy {
			out.Verdict = triage.Warn
		}
		out.Operations = append(out.Operations, row)
	}
	if names := poolNames(s, cloudPools(s)); by.Pool != "" && !onPool && len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, by.Pool) }) {
		return nil, &evidence.AbsentError{What: "node pool", Name: by.Pool, Names: names}
	}
	slices.SortStableFunc(out.Operations, func(a, b Operation) int { return older(b.Began, a.Began) })
	return out, sortBy(out.Operations, order, operationColumns)
}

// newestActivity returns the time of the newest entry of a log: without other evidence the list is as of that.
func newestActivity(s *evidence.Snapshot) time.Time {
	var at time.Time
	for _, a := range s.Data().CloudActivities {
		if a.Time.After(at) {
			at = a.Time
		}
	}
	return at
}

// noLog records why there are no operations.
func (l *Operations) noLog(s *evidence.Snapshot, ask cloud.Asking) {
	l.Verdict = triage.Unclear
	if withoutCloud(s) {
		l.lack("no cloud: no node has a provider ID of one", "")
		return
	}
	l.lack("activity log of the cloud not read, or empty", ask.Log)
}

var operationColumns = map[string]func(a, b Operation) int{
	"time":      func(a, b Operation) int { return older(b.Began, a.Began) },
	"status":    func(a, b Operation) int { return cmp.Compare(a.Status, b.Status) },
	"caller":    func(a, b Operation) int { return cmp.Compare(a.Caller, b.Caller) },
	"operation": func(a, b Operation) int { return cmp.Compare(a.Operation, b.Operation) },
	"resource":  func(a, b Operation) int { return cmp.Compare(a.Resource, b.Resource) },
}

// clusters returns the states of the clusters.
func (b base) clusters(h *Head) []CloudState {
	out := []CloudState{}
	seen := map[string]bool{}
	for _, c := range evidence.CloudOf[*evidence.CloudCluster](b.snap.Data()) {
		if key := strings.ToLower(c.Name + " " + c.State); !seen[key] {
			seen[key] = true
			out = append(out, stateOf(h, "cluster", c.Version, c.Item()))
		}
	}
	return out
}

// stateOf returns one state. An unusual one makes the verdict of the list a warning.
func stateOf(h *Head, kind, version string, r *evidence.CloudItem) CloudState {
	row := CloudState{Kind: kind, Name: r.Name, Version: version, State: r.State, Power: r.Power, Odd: []string{}}
	switch {
	case r.Up.Off():
		row.Odd = append(row.Odd, "stopped")
	case r.Failed():
		row.Odd = append(row.Odd, "last operation failed"+innermost(r.Errors))
	case r.Changing():
		row.Odd = append(row.Odd, "operation in progress")
	}
	if len(row.Odd) > 0 && h.Verdict == triage.Healthy {
		h.Verdict = triage.Warn
	}
	return row
}

// standing adds the states of the clusters and pools.
func (b base) standing(out *Operations, ask cloud.Asking) {
	if b.by.Pool == "" {
		out.States = append(out.States, b.clusters(&out.Head)...)
	}
	pools := cloudPools(b.snap)
	for _, name := range poolNames(evidence.New(evidence.Data{}), pools) {
		if p := pools[strings.ToLower(name)]; b.by.Pool == "" || strings.EqualFold(b.by.Pool, p.Name) {
			out.States = append(out.States, stateOf(&out.Head, "pool", p.Version, p.Item()))
		}
	}
	if len(out.States) == 0 && b.by.Pool == "" && !withoutCloud(b.snap) {
		out.lack("states of the cluster and its pools in the cloud not read", ask.State)
	}
}

// stories returns the entries of the log by request, each in order of time.
func stories(s *evidence.Snapshot) [][]*evidence.CloudActivity {
	index := map[string]int{}
	var out [][]*evidence.CloudActivity
	for _, a := range s.Data().CloudActivities {
		key := cmp.Or(strings.ToLower(a.Chain), a.ID)
		i, known := index[key]
		if !known || key == "" {
			i = len(out)
			index[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], a)
	}
	for _, entries := range out {
		slices.SortStableFunc(entries, func(a, b *evidence.CloudActivity) int { return a.Time.Compare(b.Time) })
	}
	return out
}

// operation returns one row.
func (b base) operation(entries []*evidence.CloudActivity) Operation {
	first := slices.MinFunc(entries, func(a, b *evidence.CloudActivity) int { // the request
		return cmp.Or(cmp.Compare(a.Depth(), b.Depth()), a.Time.Compare(b.Time))
	})
	row := Operation{
		Began: evidence.Stamp(entries[0].Time), Operation: first.Operation, Resource: first.Resource, Caller: first.Caller, Steps: len(entries),
		ID: cmp.Or(first.Chain, first.ID), Codes: []string{}, Odd: []string{},
	}
	var failed *evidence.CloudActivity
	for _, a := range entries {
		row.Caller = cmp.Or(row.Caller, a.Caller)
		if a.Operation == first.Operation && a.Resource == first.Resource {
			row.Status = a.Status // its newest entry
		}
		if a.Failed() {
			row.Failed++
			failed = a
		}
	}
	if len(entries) > 1 && !running(row.Status) {
		row.Ended = evidence.Stamp(entries[len(entries)-1].Time)
	}
	switch {
	case failed != nil:
		b.failure(&row, failed, first)
	case running(row.Status) && b.at.Sub(entries[0].Time) > lateness:
		row.Odd = append(row.Odd, "not finished according to this log, "+wording.Duration(b.at.Sub(entries[0].Time))+" after the start")
	}
	return row
}

// lateness is how late an entry may arrive in the log.
const lateness = 15 * time.Minute

// running reports whether the status is a start without an end.
func running(status string) bool {
	switch strings.ToLower(status) {
	case "started", "accepted", "running", "inprogress", "in progress", "active", "updating":
		return true
	}
	return false
}

// failure uses the message of the deepest failed step, because the steps above repeat it.
func (b base) failure(row *Operation, failed, first *evidence.CloudActivity) {
	row.Status = failed.Status
	row.Later = b.snap.SucceededSince(failed) || b.snap.SucceededSince(first)
	for _, a := range slices.Backward(b.snap.Failures(failed)) {
		if len(a.Errors) == 0 {
			continue
		}
		e := last(a.Errors)
		row.Code, row.Message, row.Target = e.Code, e.Message, e.Target
		row.Codes = codes(a.Errors)
		if e.Message != "" {
			break
		}
	}
	says := strings.TrimPrefix(row.Code+": "+row.Message, ": ")
	switch says = strings.TrimSuffix(says, ": "); {
	case row.Later:
	case says == "":
		row.Odd = append(row.Odd, "failed; the log has no reason")
	default:
		says = wording.Cut(says, 600)
		if len(row.Codes) > 1 {
			says += " (" + wording.First(row.Codes, 6) + ")"
		}
		row.Odd = append(row.Odd, says)
	}
}

// codes returns the distinct codes of errors.
func codes(errors []evidence.CloudError) []string {
	out := []string{}
	for _, e := range errors {
		if e.Code != "" && !slices.Contains(out, e.Code) {
			out = append(out, e.Code)
		}
	}
	return out
}

// touches returns a function that reports whether entries are about the requested pool or node.
func (b base) touches() func([]*evidence.CloudActivity) bool {
	var ids []string
	if n := b.snap.Node(b.by.Node); n != nil {
		_, id, _ := strings.Cut(n.Spec.ProviderID, "://")
		ids = append(ids, strings.ToLower(id))
	}
	if b.by.Pool != "" {
		for _, r := range evidence.CloudOf[*evidence.CloudSet](b.snap.Data()) {
			if strings.EqualFold(r.Pool, b.by.Pool) && r.ID != "" {
				ids = append(ids, strings.ToLower(r.ID))
			}
		}
	}
	return func(entries []*evidence.CloudActivity) bool {
		return b.by.Node == "" && b.by.Pool == "" || slices.ContainsFunc(entries, func(a *evidence.CloudActivity) bool {
			on := strings.ToLower(a.Resource)
			return b.by.Pool != "" && slices.Contains(strings.Split(on, "/"), strings.ToLower(b.by.Pool)) ||
				slices.ContainsFunc(ids, func(id string) bool { return id != "" && related(on, id) })
		})
	}
}

// related reports whether an operation on one resource concerns the other: it is the same, a part of it, or its parent. A
// resource group, which has no provider in its ID, is too broad.
func related(on, id string) bool {
	if on == id || strings.HasPrefix(on, id+"/") {
		return true
	}
	return strings.Contains(on, "/providers/") && strings.HasPrefix(id, on+"/")
}

// chosen reports whether the row matches the filter.
func (b base) chosen(row Operation) bool {
	switch {
	case b.by.Odd && len(row.Odd) == 0,
		b.by.Status != "" && !strings.EqualFold(row.Status, b.by.Status),
		b.by.Caller != "" && !strings.Contains(strings.ToLower(row.Caller), strings.ToLower(b.by.Caller)):
		return false
	}
	if b.by.Since == 0 && b.by.Until == 0 {
		return true
	}
	if row.Began == nil {
		return false
	}
	age := b.at.Sub(*row.Began)
	return (b.by.Since == 0 || age <= b.by.Since) && age >= b.by.Until
}
