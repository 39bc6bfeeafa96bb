package paste

import (
	"fmt"
	"io"
	"time"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Bounds for the memory of one text. What exceeds them is counted and becomes a gap.
const (
	maxLine  = 64 << 10 // bytes of a line that are kept
	maxRows  = 20_000   // objects of one kind
	maxBytes = 16 << 20 // of all kept lines
	maxTried = 200_000  // lines that may be terminal output: no paste has more
)

// Sink takes evidence. Edit calls the function once, with the data of the Snapshot under construction.
type Sink interface {
	Edit(func(*evidence.Data, *evidence.Templates))
}

// Read reads a text to its end and adds the recognized evidence to the sink. If a read fails, it adds what was read before, and
// returns the error.
func Read(name string, r io.Reader, sink Sink) error {
	t, err := Parse(name, r)
	if !t.Empty() {
		sink.Edit(t.AddTo)
	}
	return err
}

// Parse reads a text to its end and adds nothing yet. The Text is never nil: with an error, it holds what was read before.
func Parse(name string, r io.Reader) (*Text, error) {
	p := newPage(name)
	if err := p.read(decoded(r)); err != nil {
		return p.text, fmt.Errorf("read %s: %w", name, err)
	}
	return p.text, nil
}

// Text is the evidence in one text. AddTo converts its ages to times, when the time of the evidence is known.
type Text struct {
	name string

	nodes     []*evidence.Node
	pods      []*evidence.Pod
	described []*podDescription
	events    []*evidence.Event
	leases    []*evidence.Lease
	pdbs      []*evidence.PDB
	workloads []*evidence.Workload
	claims    []*corev1.PersistentVolumeClaim
	volumes   []*corev1.PersistentVolume
	attached  []*storagev1.VolumeAttachment
	csrs      []*certificatesv1.CertificateSigningRequest
	webhooks  []*evidence.Webhook
	usage     []*evidence.Usage
	kubelets  []*evidence.Kubelet
	podUsage  []*evidence.PodUsage
	machines  []*evidence.CloudMachine
	reports   []*hostReport
	gaps      []evidence.Gap

	now      time.Time // the newest time at which the cluster was definitely running; zero: unknown
	walls    []Wall    // local clocks when the text was printed
	earliest time.Time // lower bound for the time of the text, from its ages; zero: unknown
	ages     []age

	kept    int            // bytes of lines in objects
	rows    map[string]int // objects by kind
	dropped map[string]int // objects by kind beyond the bounds
	cut     int            // lines longer than maxLine
	until   int            // the line after which only messages are searched; 0: the end
}

// age is a time relative to the moment at which the text was printed.
type age struct {
	at  *time.Time
	ago time.Duration
}

// hostReport is a report with the host from the prompt.
type hostReport struct {
	*nodereport.Report
	host host
	file string // file header inside the text; empty: none
}

// Empty reports whether nothing was recognized.
func (t *Text) Empty() bool {
	return len(t.rows) == 0 && len(t.reports) == 0 && len(t.gaps) == 0
}

// room reports whether another object of the kind, from a line of that length, may be kept.
func (t *Text) room(kind string, l line) bool {
	if t.rows[kind] >= maxRows || t.kept+len(l.text) > maxBytes {
		t.dropped[kind]++
		return false
	}
	t.rows[kind]++
	t.kept += len(l.text)
	return true
}

// setAge records the printed age of a time. Unknown ages are ignored.
func (t *Text) setAge(at *time.Time, printed string) {
	if d, ok := parseAge(printed); ok && len(t.ages) < 4*maxRows {
		t.ages = append(t.ages, age{at, d})
	}
}

// setAges records the age of an event.
func (t *Text) setAges(e *evidence.Event, last, first string) {
	t.setAge(&e.Last, last)
	t.setAge(&e.First, first)
	if d, ok := parseAge(last); ok {
		e.Ago = &d
	}
}

// Name returns the name of the source.
func (t *Text) Name() string { return t.name }

// Nodes returns the nodes in the text, before they are merged.
func (t *Text) Nodes() []*evidence.Node { return t.nodes }

// Earliest returns a lower bound for the time of the text, from its ages; zero: unknown.
func (t *Text) Earliest() time.Time { return t.earliest }

// maxWalls bounds the clocks that are kept of a text.
const maxWalls = 100

// Wall is a local time of a machine.
type Wall struct {
	Shown time.Time // as if in UTC
	Zone  string    // an abbreviation, possibly ambiguous
}

// Walls returns the local times in the text, as of when it was printed.
func (t *Text) Walls() []Wall { return t.walls }

// Leases returns the leases in the text, before they are merged.
func (t *Text) Leases() []*evidence.Lease { return t.leases }

// seenAlive records a time that the cluster wrote shortly before the text was printed.
func (t *Text) seenAlive(at time.Time) {
	if at.After(t.now) {
		t.now = at
	}
}
