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

// Bounds of what one text may leave in memory. What is beyond them is counted and becomes a gap.
const (
	maxLine  = 64 << 10 // bytes of a line that are kept
	maxRows  = 20_000   // objects of one kind
	maxBytes = 16 << 20 // of all kept lines together
	maxTried = 200_000  // lines that may be part of what a terminal shows: nobody pastes more
)

// Sink takes evidence. The function is called once, with the data of the Snapshot that is being built.
type Sink interface {
	Edit(func(*evidence.Data, *evidence.Templates))
}

// Read reads a text to its end and adds what it recognises to the sink. A read error is returned after what
// was read before it has been added.
func Read(name string, r io.Reader, sink Sink) error {
	t, err := Parse(name, r)
	if !t.Empty() {
		sink.Edit(t.AddTo)
	}
	return err
}

// Parse reads a text to its end without adding it to anything yet. The Text is never nil: with an error, it
// holds what was read before it.
func Parse(name string, r io.Reader) (*Text, error) {
	p := newPage(name)
	if err := p.read(decoded(r)); err != nil {
		return p.text, fmt.Errorf("read %s: %w", name, err)
	}
	return p.text, nil
}

// Text is what one text shows. Ages in it become times only in AddTo, when the time of the evidence is known.
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

	now      time.Time // the newest time at which the cluster was certainly alive; zero: not known
	walls    []Wall    // what clocks showed when the text was printed
	earliest time.Time // the text was not written before, as its ages tell; zero: not known
	ages     []age

	kept    int            // bytes of lines that objects were made of
	rows    map[string]int // objects by kind
	dropped map[string]int // objects by kind that were beyond the bounds
	cut     int            // lines longer than maxLine
	until   int            // the line behind which only messages are looked for; 0: the end
}

// age is a time that the text gives as a distance from the moment it was printed.
type age struct {
	at  *time.Time
	ago time.Duration
}

// hostReport is a report with what the prompt said about where it was taken.
type hostReport struct {
	*nodereport.Report
	host host
	file string // head of a file inside the text; empty: none
}

// Empty reports whether nothing was recognised.
func (t *Text) Empty() bool {
	return len(t.rows) == 0 && len(t.reports) == 0 && len(t.gaps) == 0
}

// room reports whether another object of the kind, made of a line of that length, may be kept.
func (t *Text) room(kind string, l line) bool {
	if t.rows[kind] >= maxRows || t.kept+len(l.text) > maxBytes {
		t.dropped[kind]++
		return false
	}
	t.rows[kind]++
	t.kept += len(l.text)
	return true
}

// setAge remembers that a time lies the printed age back. Ages that say nothing are left out.
func (t *Text) setAge(at *time.Time, printed string) {
	if d, ok := parseAge(printed); ok && len(t.ages) < 4*maxRows {
		t.ages = append(t.ages, age{at, d})
	}
}

// setAges remembers how old an event is.
func (t *Text) setAges(e *evidence.Event, last, first string) {
	t.setAge(&e.Last, last)
	t.setAge(&e.First, first)
	if d, ok := parseAge(last); ok {
		e.Ago = &d
	}
}

// Name is the name of the source.
func (t *Text) Name() string { return t.name }

// Nodes are the nodes that the text shows, before they are added to anything.
func (t *Text) Nodes() []*evidence.Node { return t.nodes }

// Earliest is the time before which the text was not written, as its ages tell; zero: not known.
func (t *Text) Earliest() time.Time { return t.earliest }

// maxWalls bounds the clocks that are kept of a text.
const maxWalls = 100

// Wall is a clock on the wall.
type Wall struct {
	Shown time.Time // as if in UTC
	Zone  string    // an abbreviation, which several zones may have
}

// Walls are the clocks that the text shows, as they were when it was printed.
func (t *Text) Walls() []Wall { return t.walls }

// Leases are the leases that the text shows, before they are added to anything.
func (t *Text) Leases() []*evidence.Lease { return t.leases }

// seenAlive notes a time that the cluster wrote shortly before the text was printed.
func (t *Text) seenAlive(at time.Time) {
	if at.After(t.now) {
		t.now = at
	}
}
