package survey

import (
	"context"
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
	asked time.Time
	busy  bool
	data  *evidence.Data // nil: no answer yet
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
// answers of other nodes are forgotten.
func (k *Kubelets) Ask(ctx context.Context, s *evidence.Snapshot) {
	nodes := oddNodes(s.Data(), s.TakenAt())
	k.forget(nodes)
	for _, n := range nodes {
		if !k.start(n.Name) {
			continue
		}
		select {
		case k.slots <- struct{}{}:
			go k.ask(ctx, n)
		default:
			k.put(n.Name, nil) // later
			return
		}
	}
}

// forget drops the answers of nodes that are not in the list.
func (k *Kubelets) forget(nodes []*evidence.Node) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for name, a := range k.answers {
		odd := slices.ContainsFunc(nodes, func(n *evidence.Node) bool { return n.Name == name })
		if !odd && !a.busy {
			delete(k.answers, name)
		}
	}
}

// start reports whether a kubelet may be asked now, and notes that it is.
func (k *Kubelets) start(node string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	a := k.answers[node]
	if a == nil {
		a = &answer{}
		k.answers[node] = a
	}
	if a.busy || time.Since(a.asked) < kubeletPause {
		return false
	}
	a.busy = true
	return true
}

func (k *Kubelets) ask(ctx context.Context, n *evidence.Node) {
	defer func() { <-k.slots }()
	asked := time.Now()
	b := collect.NewBuilder(evidence.Source{Kind: "cluster", Node: n.Name}, k.signatures)
	own := *n // a Snapshot may change it
	own.Node = n.Node.DeepCopy()
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) { d.Nodes = []*evidence.Node{&own} })
	newSurvey(k.reader, b, k.opt).probe(ctx, n.Name, n.Node)
	k.put(n.Name, &answer{asked: asked, data: b.Snapshot().Data()})
	select {
	case k.told <- struct{}{}:
	default:
	}
}

// put stores an answer; nil: the kubelet was not asked.
func (k *Kubelets) put(node string, a *answer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if a == nil {
		k.answers[node].busy = false
		return
	}
	k.answers[node] = a
}

// AddTo adds the answers to b: those of the nodes, or without nodes all.
func (k *Kubelets) AddTo(b *collect.Builder, nodes ...string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for name, a := range k.answers {
		asked := len(nodes) == 0 || slices.Contains(nodes, name)
		if a.data != nil && asked && time.Since(a.asked) < kubeletKept {
			b.Edit(func(d *evidence.Data, _ *evidence.Templates) { a.addTo(d) })
		}
	}
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
