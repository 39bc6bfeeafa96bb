package survey

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Bounds of a run for named nodes. They hold the number of requests independent of the cluster's size.
const (
	twins         = 5   // healthy nodes of the same pool, to compare with
	twinReports   = 2   // of which the reports are read, where the sick node has one
	twinPage      = 50  // nodes of the pool that are looked at for them
	troubledPods  = 10  // pods whose own events are read
	maxOwners     = 200 // controllers of the node's pods
	maxNamespaces = 100 // namespaces whose budgets are read
	maxClaims     = 100 // claims of the node's pods
)

// Nodes reads what concerns the named nodes into b, at a cost that does not depend on the size of the
// cluster: the nodes, their leases, pods, events, volumes, their kubelets' own word, the owners and budgets of
// their pods, a few healthy twins of their pools, and the state of kube-system, the control plane and its
// webhooks.
//
// Coverage is of this scope: Pods are Complete when all pods of the nodes were read, PDBs when all budgets of
// their namespaces were. Nodes and Events are never Complete.
//
// A node that the API server does not know is an error with kube.NotFound as its reason.
func Nodes(ctx context.Context, r *kube.Reader, b *collect.Builder, names []string, opt Options) error {
	s := newSurvey(r, b, opt)
	if err := s.contact(ctx); errors.Is(err, errNoUse) {
		return nil
	} else if err != nil {
		return err
	}
	n := &nodeSurvey{survey: s, names: unique(names), seen: map[string]bool{}}
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) { d.Source.Node = strings.Join(n.names, ", ") })
	found, err := n.find(ctx)
	if err != nil {
		return err
	}
	attached := map[string][]corev1.AttachedVolume{}
	for _, node := range found {
		attached[node.Name] = node.Status.VolumesAttached
	}
	s.wait.Go(func() { n.pods(ctx, attached) })
	s.wait.Go(func() { n.leases(ctx) })
	for _, name := range n.names {
		s.wait.Go(func() { s.probe(ctx, name, found[name]) })
		s.wait.Go(func() { n.csiNode(ctx, name) })
		s.wait.Go(func() { s.usage(ctx, name) })
		s.wait.Go(func() { n.nodeEvents(ctx, name) })
	}
	for _, pool := range poolsOf(found) {
		s.wait.Go(func() { n.twins(ctx, pool) })
	}
	s.wait.Go(func() { n.csrs(ctx) })
	s.wait.Go(func() { n.system(ctx) })
	s.wait.Go(func() { s.controlPlaneLeases(ctx) })
	s.wait.Go(func() { s.priorityClasses(ctx) })
	s.wait.Go(func() { s.webhooks(ctx) })
	s.wait.Go(func() { s.policies(ctx) })
	s.wait.Go(func() { s.mutations(ctx) })
	for _, node := range found {
		add(s, evidence.Nodes, node)
	}
	s.wait.Wait()
	s.twinReports(ctx)
	return s.finish(ctx)
}

// nodeSurvey is a survey of some nodes.
type nodeSurvey struct {
	*survey
	names []string        // sorted
	seen  map[string]bool // UIDs of events, under the builder's lock
}

// NoNodeError is that of Nodes about a name that no node has.
type NoNodeError struct {
	Name string
	Host string   // of the cluster
	Some []string // of the names that nodes have; none: they could not be listed
}

func (e *NoNodeError) Error() string {
	return fmt.Sprintf("find node %s in the cluster at %s: no node has that name; kubectl get nodes lists them", e.Name, e.Host)
}

// find reads the nodes themselves. One that may not be read is a gap; one that does not exist is an error.
func (n *nodeSurvey) find(ctx context.Context) (map[string]*corev1.Node, error) {
	found := map[string]*corev1.Node{}
	for _, name := range n.names {
		node, err := kube.Get(ctx, n.reader, kube.Nodes, "", name)
		if kube.ReasonOf(err) == kube.NotFound {
			return nil, &NoNodeError{name, n.reader.Host(), n.some(ctx)}
		}
		if err == nil {
			found[name] = node
		}
		n.note(outcome{kind: evidence.Nodes, what: "nodes", some: err == nil, err: err})
	}
	return found, nil
}

// some are the names of the first nodes, for a name that was misspelt.
func (n *nodeSurvey) some(ctx context.Context) []string {
	var out []string
	_, _ = kube.List(ctx, n.reader, kube.Nodes, kube.Query{PageSize: 500, MaxPages: maxPages}, func(page []corev1.Node) error { // without them nothing is suggested
		for i := range page {
			out = append(out, page[i].Name)
		}
		return nil
	})
	return out
}

// poolsOf returns the label selectors of the nodes' pools; an empty one stands for nodes that tell none.
func poolsOf(nodes map[string]*corev1.Node) []string {
	var pools []string
	for _, node := range nodes {
		selector := ""
		if key, value := (&evidence.Node{Node: node}).PoolLabel(); key != "" {
			selector = labels.Set{key: value}.String()
		}
		pools = append(pools, selector)
	}
	return unique(pools)
}

func (n *nodeSurvey) leases(ctx context.Context) {
	for _, name := range n.names {
		if l := readOne(ctx, n.survey, evidence.Leases, kube.Leases, corev1.NamespaceNodeLease, name); l != nil {
			add(n.survey, evidence.Leases, l)
		}
	}
	n.builder.TakenAt(n.reader.ServerTime())
}

func (n *nodeSurvey) csiNode(ctx context.Context, name string) {
	if c := readOne(ctx, n.survey, evidence.CSINodes, kube.CSINodes, "", name); c != nil {
		add(n.survey, evidence.CSINodes, c)
	}
}

// twins adds a few healthy nodes of the same pool. Without a pool label any nodes will do.
func (n *nodeSurvey) twins(ctx context.Context, pool string) {
	found := 0
	_, err := kube.List(ctx, n.reader, kube.Nodes, kube.Query{Labels: pool, PageSize: twinPage, MaxPages: 1}, func(page []corev1.Node) error {
		for i := range page {
			if found < twins && !slices.Contains(n.names, page[i].Name) && healthy(&page[i]) {
				add(n.survey, evidence.Nodes, page[i].DeepCopy()) // a copy: the page must not stay
				found++
			}
		}
		return nil
	})
	n.note(outcome{kind: evidence.Nodes, what: "healthy nodes of the same pool", err: err, aside: true})
}

// healthy tells whether a node is fit for a comparison:
//   - it is Ready and not cordoned
//   - no condition of known meaning reports a problem
func healthy(n *corev1.Node) bool {
	bad := func(c corev1.NodeCondition) bool { return evidence.Bad(&c) == evidence.True }
	return (&evidence.Node{Node: n}).Ready() == evidence.True && !n.Spec.Unschedulable && !slices.ContainsFunc(n.Status.Conditions, bad)
}

// csrs reads the certificate requests that the nodes' kubelets made, or that were made in their names.
func (n *nodeSurvey) csrs(ctx context.Context) {
	for _, signer := range []string{certificatesv1.KubeletServingSignerName, certificatesv1.KubeAPIServerClientKubeletSignerName} {
		readList(ctx, n.survey, evidence.CSRs, kube.CSRs, kube.Query{
			Fields: fields.OneTermEqualSelector("spec.signerName", signer).String(), MaxPages: 1,
		}, func(c *certificatesv1.CertificateSigningRequest) bool {
			node, found := strings.CutPrefix(requester(c), "system:node:")
			return found && slices.Contains(n.names, node)
		})
	}
}

// requester is the user that the certificate is for: the one who asks, or, at a node's first start, when a
// bootstrap token asks, the name in the request.
func requester(c *certificatesv1.CertificateSigningRequest) string {
	if strings.HasPrefix(c.Spec.Username, "system:node:") {
		return c.Spec.Username
	}
	block, _ := pem.Decode(c.Spec.Request)
	if block == nil {
		return ""
	}
	req, err := x509.ParseCertificateRequest(block.Bytes)
	if err != nil {
		return ""
	}
	return req.Subject.CommonName
}

// system reads the state of kube-system: its controllers, the pods there that have no node, and its warnings.
func (n *nodeSurvey) system(ctx context.Context) {
	ns := metav1.NamespaceSystem
	s := n.survey
	readList(ctx, s, evidence.Workloads, kube.DaemonSets, kube.Query{Namespace: ns, MaxPages: maxPages}, nil)
	readList(ctx, s, evidence.Workloads, kube.Deployments, kube.Query{Namespace: ns, MaxPages: maxPages}, nil)
	o := list(ctx, s, evidence.Pods, kube.Pods, kube.Query{
		Namespace: ns, Fields: fields.OneTermEqualSelector("spec.nodeName", "").String(), MaxPages: 1,
	}, nil)
	o.aside = o.err == nil // it is a sample of them, but one that is refused leaves them unread
	s.note(o)
	n.events(ctx, ns, fields.OneTermNotEqualSelector("type", corev1.EventTypeNormal))
}

// events reads the first pages of the events that the selector picks. Events are never complete here: those about
// other objects are not asked for.
func (n *nodeSurvey) events(ctx context.Context, namespace string, selector fields.Selector) {
	o := list(ctx, n.survey, evidence.Events, kube.Events, kube.Query{Namespace: namespace, Fields: selector.String(), MaxPages: maxPages}, n.newEvent)
	o.all, o.some = false, o.err == nil
	n.note(o)
}

func (n *nodeSurvey) nodeEvents(ctx context.Context, name string) {
	n.events(ctx, "", about("Node", name))
}

// about selects the events about an object, with the same request every time.
func about(kind, name string) fields.Selector {
	return fields.AndSelectors(fields.OneTermEqualSelector("involvedObject.kind", kind), fields.OneTermEqualSelector("involvedObject.name", name))
}

// newEvent tells whether an event is worth keeping and did not come by another way already. It runs under
// the builder's lock.
func (n *nodeSurvey) newEvent(e *corev1.Event) bool {
	if n.seen[string(e.UID)] || !telling(e) {
		return false
	}
	n.seen[string(e.UID)] = true
	return true
}
