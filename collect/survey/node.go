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

// Bounds for a run for named nodes. They keep the number of requests independent of the cluster size.
const (
	peers         = 5   // healthy peers in the same pool, for comparison
	peerReports   = 2   // peers whose reports are read, if the unhealthy node has a report
	peerPage      = 50  // nodes of the pool that are checked for peers
	troubledPods  = 10  // pods whose events are read
	maxOwners     = 200 // controllers of the node's pods
	maxNamespaces = 100 // namespaces whose PodDisruptionBudgets are read
	maxClaims     = 100 // claims of the node's pods
)

// Nodes reads what concerns the named nodes into b, at a cost that does not depend on the cluster size. It reads the nodes, their
// Leases, pods, events, volumes and kubelets, and the owners and PodDisruptionBudgets of their pods. It also reads some healthy
// peers of their pools, and the state of kube-system, the control plane and its webhooks.
//
// Coverage is of this scope: Pods are Complete if all pods of the nodes were read, PDBs if all PodDisruptionBudgets of their
// namespaces were. Nodes and Events are never Complete.
//
// An unknown node is an error with the reason kube.NotFound.
func Nodes(ctx context.Context, r *kube.Reader, b *collect.Builder, names []string, opt Options) error {
	s := newSurvey(r, b, opt)
	if err := s.contact(ctx); errors.Is(err, errNoUse) {
		return nil
	} else if err != nil {
		return err
	}
	n := &nodeSurvey{survey: s, names: unique(names), seen: map[string]bool{}}
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) { d.Source.Node = evidence.OfNodes(n.names) })
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
		s.wait.Go(func() { n.peers(ctx, pool) })
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
	s.peerReports(ctx)
	return s.finish(ctx)
}

// nodeSurvey is a survey of some nodes.
type nodeSurvey struct {
	*survey
	names []string        // sorted
	seen  map[string]bool // UIDs of events, under the builder's lock
}

// NoNodeError is the error of Nodes for a name of no node.
type NoNodeError struct {
	Name string
	Host string   // of the cluster
	Some []string // some names of nodes; empty if they could not be listed
}

func (e *NoNodeError) Error() string {
	return fmt.Sprintf("node %q not found in the cluster at %s", e.Name, e.Host)
}

// find reads the nodes. A forbidden one is a gap; a missing one is an error.
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

// some returns the names of the first nodes, as suggestions for a misspelled name.
func (n *nodeSurvey) some(ctx context.Context) []string {
	var out []string
	_, _ = kube.List(ctx, n.reader, kube.Nodes, kube.Query{PageSize: 500, MaxPages: maxPages}, func(page []corev1.Node) error { // without them, nothing is suggested
		for i := range page {
			out = append(out, page[i].Name)
		}
		return nil
	})
	return out
}

// poolsOf returns the label selectors of the nodes' pools; an empty one stands for nodes without a pool label.
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

// peers adds some healthy peers from the same pool. Without a pool label, any node qualifies.
func (n *nodeSurvey) peers(ctx context.Context, pool string) {
	found := 0
	_, err := kube.List(ctx, n.reader, kube.Nodes, kube.Query{Labels: pool, PageSize: peerPage, MaxPages: 1}, func(page []corev1.Node) error {
		for i := range page {
			if found < peers && !slices.Contains(n.names, page[i].Name) && healthy(&page[i]) {
				add(n.survey, evidence.Nodes, page[i].DeepCopy()) // a copy, so that the page can be freed
				found++
			}
		}
		return nil
	})
	n.note(outcome{kind: evidence.Nodes, what: "healthy nodes of the same pool", err: err, aside: true})
}

// healthy reports whether a node is suitable for a comparison:
//   - it is Ready and not cordoned
//   - no condition of known meaning reports a problem
func healthy(n *corev1.Node) bool {
	bad := func(c corev1.NodeCondition) bool { return evidence.Bad(&c) == evidence.True }
	return (&evidence.Node{Node: n}).Ready() == evidence.True && !n.Spec.Unschedulable && !slices.ContainsFunc(n.Status.Conditions, bad)
}

// csrs reads the CertificateSigningRequests of the nodes' kubelets, or in their names.
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

// requester returns the user of the certificate: the requesting user, or for a bootstrap token (first start of a node), the name
// in the request.
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

// system reads the state of kube-system: its controllers, its unscheduled pods, and its warnings.
func (n *nodeSurvey) system(ctx context.Context) {
	ns := metav1.NamespaceSystem
	s := n.survey
	readList(ctx, s, evidence.Workloads, kube.DaemonSets, kube.Query{Namespace: ns, MaxPages: maxPages}, nil)
	readList(ctx, s, evidence.Workloads, kube.Deployments, kube.Query{Namespace: ns, MaxPages: maxPages}, nil)
	o := list(ctx, s, evidence.Pods, kube.Pods, kube.Query{
		Namespace: ns, Fields: fields.OneTermEqualSelector("spec.nodeName", "").String(), MaxPages: 1,
	}, nil)
	o.aside = o.err == nil // a sample, but if it is forbidden, the pods were not read
	s.note(o)
	n.events(ctx, ns, fields.OneTermNotEqualSelector("type", corev1.EventTypeNormal))
}

// events reads the first pages of the selected events. Events are never complete here, because those about other objects are not
// requested.
func (n *nodeSurvey) events(ctx context.Context, namespace string, selector fields.Selector) {
	o := list(ctx, n.survey, evidence.Events, kube.Events, kube.Query{Namespace: namespace, Fields: selector.String(), MaxPages: maxPages}, n.newEvent)
	o.all, o.some = false, o.err == nil
	n.note(o)
}

func (n *nodeSurvey) nodeEvents(ctx context.Context, name string) {
	n.events(ctx, "", about("Node", name))
}

// about selects the events about an object, always with the same request.
func about(kind, name string) fields.Selector {
	return fields.AndSelectors(fields.OneTermEqualSelector("involvedObject.kind", kind), fields.OneTermEqualSelector("involvedObject.name", name))
}

// newEvent reports whether to keep an event: it is useful and was not read before. It runs under the builder's lock.
func (n *nodeSurvey) newEvent(e *corev1.Event) bool {
	if n.seen[string(e.UID)] || !telling(e) {
		return false
	}
	n.seen[string(e.UID)] = true
	return true
}
