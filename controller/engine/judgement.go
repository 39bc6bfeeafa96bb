package engine

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/api/v1alpha1"
	"github.com/nodetriage/nodetriage/controller/diagnosis"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/catalog"
	"github.com/nodetriage/nodetriage/triage"
)

// Judgement is what is known about the cluster at one time. It does not change, and its methods are safe for concurrent use.
type Judgement struct {
	At       time.Time          // by the clock of the API server
	Took     time.Duration      // how long the judgement took
	Report   *triage.Report     // about the cluster
	Snapshot *evidence.Snapshot // the evidence
	// Unclear are the nodes whose verdict is not clear, sorted.
	Unclear []string
	// Groups are the nodes that fail together.
	Groups []Group
	// Blind is set if the evidence may be out of date. The rest is then the last judgement; it is empty before the first.
	Blind *Blindness

	nodes *statuses
}

// Blindness is why the evidence may be out of date.
type Blindness struct {
	Reason  string // of the condition EvidenceFresh
	Message string
	Since   time.Time
}

// Node returns the status of a node, also of one that is clear or no longer exists. Callers must not change it.
func (j *Judgement) Node(name string) v1alpha1.NodeDiagnosisStatus {
	if j.nodes == nil {
		return v1alpha1.NodeDiagnosisStatus{Verdict: v1alpha1.VerdictUnknown}
	}
	return j.nodes.of(name)
}

// ReportOf returns the report about a node. It returns false if too many nodes have a problem for a report about each. There must have
// been a judgement.
func (j *Judgement) ReportOf(name string) (*triage.Report, bool) {
	if j.nodes.whole != nil {
		return nil, false
	}
	j.nodes.mu.Lock()
	defer j.nodes.mu.Unlock()
	return j.nodes.judged.Report(name), true
}

// Catalog returns the catalog of the causes. There must have been a judgement.
func (j *Judgement) Catalog() *catalog.Catalog { return j.nodes.catalog }

// Judged reports whether there was a judgement at all.
func (j *Judgement) Judged() bool { return j.nodes != nil }

// statuses makes the status of a node when it is first requested.
type statuses struct {
	judged   *triage.Judged
	whole    *triage.Report // set if too many nodes have a problem for a report about each
	snapshot *evidence.Snapshot
	catalog  *catalog.Catalog

	mu    sync.Mutex
	known map[string]v1alpha1.NodeDiagnosisStatus
}

func (s *statuses) of(name string) v1alpha1.NodeDiagnosisStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	status, known := s.known[name]
	if !known {
		status = diagnosis.Of(name, s.report(name), s.snapshot, s.catalog)
		s.known[name] = status
	}
	return status
}

// with returns the statuses with another one of a node.
func (s *statuses) with(name string, status v1alpha1.NodeDiagnosisStatus) *statuses {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := maps.Clone(s.known)
	known[name] = status
	return &statuses{judged: s.judged, whole: s.whole, snapshot: s.snapshot, catalog: s.catalog, known: known}
}

// maxReports bounds the nodes with a report of their own. A report about one node takes some milliseconds in a cluster of 5,000, and a
// fault of the API server or of a zone makes thousands of nodes unhealthy at once. Their status is then the part of the report about the
// cluster that is about them.
const maxReports = 200

func (s *statuses) report(node string) *triage.Report {
	if s.whole != nil {
		return s.whole
	}
	return s.judged.Report(node)
}

func (k *Knowledge) judgement(s *evidence.Snapshot, judged *triage.Judged) *Judgement {
	j := &Judgement{
		At: s.TakenAt(), Report: judged.Report(), Snapshot: s,
		nodes: &statuses{judged: judged, snapshot: s, catalog: k.catalog, known: map[string]v1alpha1.NodeDiagnosisStatus{}},
	}
	names := suspects(j.Report, j.Snapshot)
	if len(names) > maxReports {
		j.nodes.whole = j.Report
	}
	broken := map[string]v1alpha1.NodeDiagnosisStatus{}
	for _, name := range names {
		status := j.Node(name)
		if status.Verdict != v1alpha1.VerdictClear {
			j.Unclear = append(j.Unclear, name)
		}
		if status.Verdict == v1alpha1.VerdictBroken {
			broken[name] = status
		}
	}
	j.Groups = groups(j.Report.Cohorts, s, broken)
	return j
}

// suspects returns the nodes that the report mentions, and nodes that never reported their state, sorted. No other node has a verdict
// that is not clear.
func suspects(r *triage.Report, s *evidence.Snapshot) []string {
	out := map[string]bool{}
	add := func(about evidence.Subject) {
		if name := s.NodeOf(about); name != "" {
			out[name] = true
		}
	}
	for _, f := range r.Findings {
		for _, about := range slices.Concat(f.Subjects, f.LikelyOn) {
			add(about)
		}
	}
	for _, y := range r.Symptoms {
		add(y.Subject)
	}
	for _, n := range s.Nodes() {
		if n.Condition("Ready") == nil {
			out[n.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(out))
}
