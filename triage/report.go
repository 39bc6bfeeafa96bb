package triage

import (
	"cmp"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// Verdict is the report in one word.
type Verdict string

// The verdicts; Unclear means that the evidence is not enough to judge.
const (
	Healthy Verdict = "healthy"
	Warn    Verdict = "warning"
	Broken  Verdict = "broken"
	Unclear Verdict = "unknown"
)

// Report is the answer, in its stable JSON form.
type Report struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	TakenAt    *time.Time   `json:"takenAt"` // null: the evidence tells no time
	Source     string       `json:"source"`  // "cluster NAME", "folder PATH", ...
	Verdict    Verdict      `json:"verdict"`
	Findings   []Finding    `json:"findings"` // the first is the answer
	Symptoms   []Symptom    `json:"symptoms"`
	RuledOut   []RuledOut   `json:"ruledOut"`
	NotChecked []NotChecked `json:"notChecked"`
	// ReadInPart are kinds of which more exists, or may exist, than was read; why is in NotChecked. While there are some, the
	// verdict is broken or unknown. "everything": any kind may lack objects.
	ReadInPart []evidence.Kind `json:"readInPart,omitempty"`
	Cohorts    []Cohort        `json:"cohorts"`
	// Over is what has ended; it counts neither for the verdict nor for the exit code.
	Over []Over `json:"over"`
	// Waiting are pods without a node of which no finding speaks; they count neither for the verdict nor for the exit code.
	Waiting []Waiting `json:"waiting,omitempty"`
	// StandsOut are at most five lines that say most where no cause is likely, and two beside a likely one.
	StandsOut []Line `json:"standsOut"`
	// Groups are the independent faults of now, each with the finding that comes first; the worst first.
	Groups []Group `json:"groups"`
	// Ignored is what exceptions left out; it counts neither for the verdict nor for the exit code.
	Ignored []Ignored `json:"ignored,omitempty"`
	// ExceptionNotes say which exceptions ended, and which annotations could not be read as one.
	ExceptionNotes []string `json:"exceptionNotes,omitempty"`
	Filter         *Filter  `json:"filter,omitempty"` // nil: all is told
	// ChangedBefore is what changed on nodes shortly before a fault, the newest first; it need not be the reason.
	ChangedBefore []ChangedBefore `json:"changedBefore,omitempty"`
	// Apart are nodes beside healthy nodes of their pools, where these say how they are set up.
	Apart []Apart `json:"apart,omitempty"`
	// Knowledge is where the knowledge came from by which it was judged: later parts add to the first and replace.
	Knowledge []catalog.Origin `json:"knowledge,omitempty"`
	// Trace is how the report came about; nil: nobody asked.
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
	LikelyOn    []evidence.Subject `json:"likelyOn,omitempty"`
	Summary     string             `json:"summary"`
	Evidence    []evidence.Ref     `json:"evidence"`
	Rules       []string           `json:"rules,omitempty"`       // that claim it
	Explains    []string           `json:"explains"`              // what it explains of this report
	ExplainedBy string             `json:"explainedBy,omitempty"` // the finding that this one follows from
	Since       *time.Time         `json:"since,omitempty"`
	LastSeen    *time.Time         `json:"lastSeen,omitempty"` // newest observation; a fact that still holds was seen when the evidence was taken
	Confirm     []catalog.Check    `json:"confirm"`            // read-only commands that would make it surer
	Remedies    []catalog.Remedy   `json:"remedies"`
	Verify      []shell.Text       `json:"verify"`
	Cautions    []shell.Text       `json:"cautions"`
	Page        string             `json:"page"`

	about    map[evidence.Subject]bool // Subjects, to be asked quickly; nil in a report that was read
	anywhere evidence.Subject          // a pod of them whose node is not known; zero: there is none
}

// Symptom is something seen, with the finding that explains it, if any does.
type Symptom struct {
	ID          string           `json:"id"`
	Title       string           `json:"title"`
	Subject     evidence.Subject `json:"subject"`
	ExplainedBy string           `json:"explainedBy"` // cause id; empty: nothing here explains it
	Look        string           `json:"look,omitempty"`
	Checks      []catalog.Check  `json:"checks,omitempty"` // commands for that, where nothing here explains it
	Evidence    []evidence.Ref   `json:"evidence,omitempty"`
}

// RuledOut is a cause that was looked for and is not there.
type RuledOut struct {
	Cause   string           `json:"cause"`
	Subject evidence.Subject `json:"subject"`
	Because string           `json:"because"`

	rule string
}

// NotChecked is what could not be looked at, and how to.
type NotChecked struct {
	What string     `json:"what"`
	Why  string     `json:"why"`
	How  shell.Text `json:"how"`
	// Kind is set where the evidence holds nothing of that kind at all, as a pasted log holds no pods.
	Kind evidence.Kind `json:"kind,omitempty"`
}

// Cohort is a group of nodes that fail together and what they share that healthy nodes do not; or one unhealthy node and
// what sets it apart from its healthy twins. A trait that they lack, and the others have, is "none".
type Cohort struct {
	Nodes  []string          `json:"nodes"`
	Shared map[string]string `json:"shared"`
	Since  *time.Time        `json:"since"`
}

// Over is a cause that was there and is not any more.
type Over struct {
	Cause    string           `json:"cause"`
	Title    string           `json:"title"`
	Subject  evidence.Subject `json:"subject"`
	From     *time.Time       `json:"from"`    // null: not known
	To       *time.Time       `json:"to"`      // when it was seen for the last time, or ended; null: not known
	EndedBy  string           `json:"endedBy"` // the fact that ended it, in words
	Evidence []evidence.Ref   `json:"evidence"`
}

// Line is one line of a text that tells much although no cause is known for it.
type Line struct {
	Text       string     `json:"text"`
	Source     string     `json:"source"`
	Locator    string     `json:"locator"`
	Speaker    string     `json:"speaker"`      // the component that says it; empty: not known
	By         string     `json:"by,omitempty"` // application or person: its words; empty: those of the speaker
	ObservedAt *time.Time `json:"observedAt"`   // null: the line carries no time
}

// Group is one fault: the finding that comes first, what follows from it, and whom it hurts.
type Group struct {
	Cause    string             `json:"cause"`    // the first finding; empty: no cause is known
	Findings []string           `json:"findings"` // causes of this group, the first among them
	Symptoms []string           `json:"symptoms"`
	Subjects []evidence.Subject `json:"subjects"`
	Nodes    int                `json:"nodes"` // how many of the subjects are nodes
	Since    *time.Time         `json:"since"` // null: not known
}
