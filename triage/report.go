package triage

import (
	"cmp"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Verdict summarizes the report in one word.
type Verdict string

// The verdicts; Unclear means that the evidence is not enough for a verdict.
const (
	Healthy Verdict = "healthy"
	Warn    Verdict = "warning"
	Broken  Verdict = "broken"
	Unclear Verdict = "unknown"
)

// Report is the result, in its stable JSON form.
type Report struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	TakenAt    *time.Time   `json:"takenAt"` // null: the evidence has no time
	Source     string       `json:"source"`  // "cluster NAME", "folder PATH", ...
	Verdict    Verdict      `json:"verdict"`
	Findings   []Finding    `json:"findings"` // the first is the most likely root cause
	Symptoms   []Symptom    `json:"symptoms"`
	RuledOut   []RuledOut   `json:"ruledOut"`
	NotChecked []NotChecked `json:"notChecked"`
	// ReadInPart are the kinds with more objects, or possibly more, than were read; NotChecked says why. If there are any, the
	// verdict is broken or unknown. "everything": objects of any kind may be missing.
	ReadInPart []evidence.Kind `json:"readInPart,omitempty"`
	Cohorts    []Cohort        `json:"cohorts"`
	// Impact is the state of nodes, workloads and pods; nil: the evidence has none.
	Impact *Impact `json:"impact,omitempty"`
	// Over are resolved causes. They do not affect the verdict or the exit code.
	Over []Over `json:"over"`
	// Waiting are unscheduled pods without a finding. They do not affect the verdict or the exit code.
	Waiting []Waiting `json:"waiting,omitempty"`
	// StandsOut are the most relevant lines without a cause: up to five if no cause is likely, otherwise up to two.
	StandsOut []Line `json:"standsOut"`
	// Groups are the independent current faults, each with its first finding; the worst first.
	Groups []Group `json:"groups"`
	// Ignored are causes that exceptions left out. They do not affect the verdict or the exit code.
	Ignored []Ignored `json:"ignored,omitempty"`
	// ExceptionNotes list exceptions that expired, and annotations that could not be parsed.
	ExceptionNotes []string `json:"exceptionNotes,omitempty"`
	Filter         *Filter  `json:"filter,omitempty"` // nil: everything is shown
	// Filtered is true if the verdict is healthy only because the filter hides findings.
	Filtered bool `json:"filtered,omitempty"`
	// ChangedBefore are changes on nodes shortly before a fault, the newest first. They need not be the reason.
	ChangedBefore []ChangedBefore `json:"changedBefore,omitempty"`
	// Apart are differences between unhealthy nodes and healthy nodes of the same pools, from node reports with a setup.
	Apart []Apart `json:"apart,omitempty"`
	// Knowledge is where the knowledge behind this report comes from. Later entries add to or replace earlier ones.
	Knowledge []catalog.Origin `json:"knowledge,omitempty"`
	// Trace is how the report was made; nil: not requested.
	Trace *Trace `json:"trace,omitempty"`
}

// NameCertainty fills the certainty of findings in a report that was saved before the field had that name.
func (r *Report) NameCertainty() {
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Certainty = cmp.Or(f.Certainty, f.Confidence)
	}
}

// Finding is one cause on all objects that have it, with its proof. Subject is the one that ranks first.
type Finding struct {
	Cause      string             `json:"cause"`
	Title      string             `json:"title"`
	Severity   catalog.Severity   `json:"severity"`
	Certainty  Certainty          `json:"certainty,omitempty"`
	Confidence Certainty          `json:"confidence"` // the same as certainty: the former name of the field
	Score      float64            `json:"score"`      // 0 to 1, two decimals
	Subject    evidence.Subject   `json:"subject"`
	Subjects   []evidence.Subject `json:"subjects"` // all subjects with this cause
	// LikelyOn lists nodes that failed at the same time and share a property that healthy nodes do not have. There is no evidence
	// from these nodes themselves.
	LikelyOn []evidence.Subject `json:"likelyOn,omitempty"`
	// Named are the nodes and pods that its evidence names and that are not among the subjects, and the nodes of its pods.
	Named       []evidence.Subject `json:"named,omitempty"`
	Impact      string             `json:"impact,omitempty"` // what does not work while the cause lasts
	Summary     string             `json:"summary"`
	Evidence    []evidence.Ref     `json:"evidence"`
	Rules       []string           `json:"rules,omitempty"`       // rules that claim it
	Explains    []string           `json:"explains"`              // its effects in this report
	ExplainedBy string             `json:"explainedBy,omitempty"` // the finding that explains this one
	Since       *time.Time         `json:"since,omitempty"`
	LastSeen    *time.Time         `json:"lastSeen,omitempty"` // newest observation; a fact that still holds was seen when the evidence was taken
	Confirm     []catalog.Check    `json:"confirm"`            // read-only commands that would make it surer
	Remedies    []catalog.Remedy   `json:"remedies"`
	Verify      []shell.Text       `json:"verify"`
	Cautions    []shell.Text       `json:"cautions"`
	Page        string             `json:"page"`

	about    map[evidence.Subject]bool // Subjects as a set; nil in a report that was loaded
	anywhere evidence.Subject          // one of the pods, if its node is unknown; zero: none
}

// Symptom is an observed problem, with the finding that explains it, if any.
type Symptom struct {
	ID          string           `json:"id"`
	Title       string           `json:"title"`
	Subject     evidence.Subject `json:"subject"`
	ExplainedBy string           `json:"explainedBy"` // cause id; empty: unexplained
	Look        string           `json:"look,omitempty"`
	Checks      []catalog.Check  `json:"checks,omitempty"` // commands for Look, if the symptom is unexplained
	Evidence    []evidence.Ref   `json:"evidence,omitempty"`
}

// RuledOut is a cause that was checked and is not present.
type RuledOut struct {
	Cause   string           `json:"cause"`
	Subject evidence.Subject `json:"subject"`
	Because string           `json:"because"`

	rule string
}

// NotChecked is what could not be checked, and how to check it.
type NotChecked struct {
	What string     `json:"what"`
	Why  string     `json:"why"`
	How  shell.Text `json:"how"`
	// Kind is set if the evidence has nothing of this kind at all: a pasted log has no pods.
	Kind evidence.Kind `json:"kind,omitempty"`
}

// Cohort is a group of nodes that fail together, with what they share and healthy nodes do not have. With one node, it is what
// differs from healthy nodes of its pool. A trait that only the other nodes have is "none".
type Cohort struct {
	Nodes  []string          `json:"nodes"`
	Shared map[string]string `json:"shared"`
	Since  *time.Time        `json:"since"`
}

// Over is a cause that was present and is resolved.
type Over struct {
	Cause    string           `json:"cause"`
	Title    string           `json:"title"`
	Subject  evidence.Subject `json:"subject"`
	From     *time.Time       `json:"from"`    // null: unknown
	To       *time.Time       `json:"to"`      // when it was resolved, or last seen; null: unknown
	EndedBy  string           `json:"endedBy"` // the fact that resolved it, as text
	Evidence []evidence.Ref   `json:"evidence"`
}

// Line is a relevant line of a text without a known cause.
type Line struct {
	Text       string     `json:"text"`
	Source     string     `json:"source"`
	Locator    string     `json:"locator"`
	Speaker    string     `json:"speaker"`      // the component that wrote it; empty: unknown
	By         string     `json:"by,omitempty"` // application or person: the author; empty: the speaker
	ObservedAt *time.Time `json:"observedAt"`   // null: the line has no time
}

// Group is one fault: its first finding, the effects of that, and the affected objects.
type Group struct {
	Cause    string             `json:"cause"`    // the first finding; empty: no known cause
	Findings []string           `json:"findings"` // causes of this group, including the first
	Symptoms []string           `json:"symptoms"`
	Subjects []evidence.Subject `json:"subjects"`
	Nodes    int                `json:"nodes"` // number of nodes among the subjects
	Since    *time.Time         `json:"since"` // null: unknown
}
