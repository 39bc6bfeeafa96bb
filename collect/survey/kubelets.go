package survey

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/kube"
)

// Limits of the requests to kubelets in the background.
const (
	kubeletsAtOnce = 10
	kubeletPause   = 30 * time.Second // between two requests to the same kubelet
	kubeletKept    = 90 * time.Second // an answer that is older is no evidence of now
)

// Kubelets asks the kubelets of unusual nodes in the background, so that a survey does not wait for unreachable nodes. At most
// ten kubelets are asked at the same time, and each at most once in 30 seconds. Methods are safe for concurrent use.
type Kubelets struct {
	reader     *kube.Reader
	signatures *signatures.Set
	opt        Options
	told       chan struct{} // has one element after an answer
	slots      chan struct{}

	mu      sync.Mutex
	answers map[string]*answer // by node
}

// answer is what a kubelet answered. It may be that it did not respond.
type answer struct {
	asked time.Time // of the newest request
	busy  bool      // a request is open
	data  *evidence.Data
	at    time.Time // of data
}

// NewKubelets returns Kubelets that were not asked yet.
func NewKubelets(r *kube.Reader, set *signatures.Set) *Kubelets {
	return &Kubelets{
		reader: r, signatures: set, opt: Options{}.withDefaults(), told: make(chan struct{}, 1),
		slots: make(chan struct{}, kubeletsAtOnce), answers: map[string]*answer{},
	}
}

// Answered receives a value after a kubelet was asked.
func (k *Kubelets) Answered() <-chan struct{} { return k.told }

// Ask asks the kubelets of the unusual nodes, the worst first, as far as the limits allow. It does not wait for the answers. The
// answers of other nodes are removed, and later answers of them are ignored: such a node has changed since.
func (k *Kubelets) Ask(ctx context.Context, s *evidence.Snapshot) {
	nodes := oddNodes(s.Data(), s.TakenAt())
	k.forget(nodes)
	for _, n := range nodes {
		select {
		case k.slots <- struct{}{}:
		default:
			return
		}
		a := k.start(n.Name)
		if a == nil {
			<-k.slots
			continue
		}
		go k.ask(ctx, n, a)
	}
}

// forget drops the answers of nodes that are not in the list.
func (k *Kubelets) forget(nodes []*evidence.Node) {
	k.mu.Lock()
	defer k.mu.Unlock()
	maps.DeleteFunc(k.answers, func(name string, _ *answer) bool { return !named(nodes, name) })
}

func named(nodes []*evidence.Node, name string) bool {
	return slices.ContainsFunc(nodes, func(n *evidence.Node) bool { return n.Name == name })
}

// start returns the answer of a kubelet that may be asked now; else nil.
func (k *Kubelets) start(node string) *answer {
	k.mu.Lock()
	defer k.mu.Unlock()
	a := k.answers[node]
	if a == nil {
		a = &answer{}
		k.answers[node] = a
	}
	if a.busy || time.Since(a.asked) < kubeletPause {
		return nil
	}
	a.busy, a.asked = true, time.Now()
	return a
}

func (k *Kubelets) ask(ctx context.Context, n *evidence.Node, a *answer) {
	defer func() { <-k.slots }()
	b := collect.NewBuilder(evidence.Source{Kind: "cluster", Node: n.Name}, k.signatures)
	own := *n // a Snapshot may change it
	own.Node = n.Node.DeepCopy()
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) { d.Nodes = []*evidence.Node{&own} })
	newSurvey(k.reader, b, k.opt).probe(ctx, n.Name, n.Node)
	data := b.Snapshot().Data()
	k.mu.Lock()
	a.busy, a.data, a.at = false, data, time.Now()
	k.mu.Unlock()
	select {
	case k.told <- struct{}{}:
	default:
	}
}

// addTo adds the answers of nodes that are unusual in the survey.
func (k *Kubelets) addTo(s *survey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
		for _, n := range oddNodes(d, s.reader.ServerTime()) {
			if a := k.answers[n.Name]; a != nil && a.data != nil && time.Since(a.at) < kubeletKept {
				a.addTo(d)
			}
		}
	})
}

// addTo adds what a probe adds to a Snapshot.
func (a *answer) addTo(d *evidence.Data) {
	d.Kubelets = append(d.Kubelets, a.data.Kubelets...)
	d.PodUsage = append(d.PodUsage, a.data.PodUsage...)
	d.NodeReports = append(d.NodeReports, a.data.NodeReports...)
	d.Matches = append(d.Matches, a.data.Matches...)
	d.Lines = append(d.Lines, a.data.Lines...)
	d.Gaps = append(d.Gaps, a.data.Gaps...)
}
