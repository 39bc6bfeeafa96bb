package collect

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"

	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/kube"
)

// Bounds of a run for one node. They hold the number of requests independent of the cluster's size.
const (
	twins         = 5   // healthy nodes of the same pool, to compare with
	twinPage      = 50  // nodes of the pool that are looked at for them
	troubledPods  = 10  // pods whose own events are read
	maxOwners     = 200 // controllers of the node's pods
	maxNamespaces = 30  // namespaces whose budgets are read
	maxClaims     = 100 // claims of the node's pods
)

// Node reads what concerns one node into b, at a cost that does not depend on the size of the cluster: the
// node, its lease, pods, events, volumes, its kubelet's own word, the owners and budgets of its pods, a few
// healthy twins of its pool, and the state of kube-system, the control plane and its webhooks.
//
// Coverage is of this scope: Pods are Complete when all pods of the node were read, PDBs when all budgets of
// their namespaces were. Nodes and Events are never Complete.
//
// A node that the API server does not know is an error with kube.NotFound as its reason.
func Node(ctx context.Context, r *kube.Reader, b *Builder, name string, opt ClusterOptions) error {
	s := newSurvey(r, b, opt)
	if err := s.contact(ctx); errors.Is(err, errNoUse) {
		return nil
	} else if err != nil {
		return err
	}
	b.Edit(func(d *evidence.Data, _ *evidence.Templates) { d.Source.Node = name })
	node, err := kube.Get(ctx, r, kube.Nodes, "", name)
	if kube.ReasonOf(err) == kube.NotFound {
		return fmt.Errorf("find node %s in the cluster at %s (kubectl get nodes lists them): %w", name, r.Host(), err)
	}
	s.note(outcome{kind: evidence.Nodes, what: "nodes", some: node != nil, err: err})
	n := nodeSurvey{survey: s, name: name, seen: map[string]bool{}}
	if node != nil {
		pool, value := (&evidence.Node{Node: node}).PoolLabel()
		s.wait.Go(func() { n.twins(ctx, pool, value) })
		n.runtime = node.Status.NodeInfo.ContainerRuntimeVersion
		n.attached = node.Status.VolumesAttached
		add(s, evidence.Nodes, node)
	}
	s.wait.Go(func() { n.lease(ctx) })
	s.wait.Go(func() { s.probe(ctx, name, n.runtime) })
	s.wait.Go(func() { n.pods(ctx) })
	s.wait.Go(func() { n.csrs(ctx) })
	s.wait.Go(func() { n.csiNode(ctx) })
	s.wait.Go(func() { n.system(ctx) })
	s.wait.Go(func() {
		n.events(ctx, "", fields.Set{"involvedObject.kind": "Node", "involvedObject.name": name}.AsSelector())
	})
	s.wait.Go(func() { s.controlPlaneLeases(ctx) })
	s.wait.Go(func() { s.priorityClasses(ctx) })
	s.wait.Go(func() { s.webhooks(ctx) })
	s.wait.Go(func() { s.usage(ctx, name) })
	return s.finish(ctx)
}

// nodeSurvey is a survey of one node.
type nodeSurvey struct {
	*survey
	name     string
	runtime  string // version of the container runtime
	attached []corev1.AttachedVolume
	seen     map[string]bool // UIDs of events
}

func (n *nodeSurvey) lease(ctx context.Context) {
	if l := readOne(ctx, n.survey, evidence.Leases, kube.Leases, corev1.NamespaceNodeLease, n.name); l != nil {
		add(n.survey, evidence.Leases, l)
	}
	n.builder.TakenAt(n.reader.ServerTime())
}

func (n *nodeSurvey) csiNode(ctx context.Context) {
	if c := readOne(ctx, n.survey, evidence.CSINodes, kube.CSINodes, "", n.name); c != nil {
		add(n.survey, evidence.CSINodes, c)
	}
}

// twins adds a few healthy nodes of the same pool. Without a pool label any nodes will do.
func (n *nodeSurvey) twins(ctx context.Context, pool, value string) {
	q := kube.Query{PageSize: twinPage, MaxPages: 1}
	if pool != "" {
		q.Labels = labels.Set{pool: value}.String()
	}
	found := 0
	_, err := kube.List(ctx, n.reader, kube.Nodes, q, func(page []corev1.Node) error {
		for i := range page {
			twin := &evidence.Node{Node: &page[i]}
			if found < twins && twin.Name != n.name && twin.Ready() == evidence.True && !twin.Spec.Unschedulable {
				add(n.survey, evidence.Nodes, page[i].DeepCopy()) // a copy: the page must not stay
				found++
			}
		}
		return nil
	})
	n.note(outcome{kind: evidence.Nodes, what: "healthy nodes of the same pool", err: err, aside: true})
}

// csrs reads the certificate requests that this node's kubelet made, or that were made in its name.
func (n *nodeSurvey) csrs(ctx context.Context) {
	for _, signer := range []string{certificatesv1.KubeletServingSignerName, certificatesv1.KubeAPIServerClientKubeletSignerName} {
		readList(ctx, n.survey, evidence.CSRs, kube.CSRs, kube.Query{
			Fields: fields.OneTermEqualSelector("spec.signerName", signer).String(), MaxPages: 1,
		}, func(c *certificatesv1.CertificateSigningRequest) bool { return requestedFor(c, "system:node:"+n.name) })
	}
}

// requestedFor tells whether the user made the request or is the name in it, as at a node's first start.
func requestedFor(c *certificatesv1.CertificateSigningRequest, user string) bool {
	if c.Spec.Username == user {
		return true
	}
	block, _ := pem.Decode(c.Spec.Request)
	if block == nil {
		return false
	}
	req, err := x509.ParseCertificateRequest(block.Bytes)
	return err == nil && req.Subject.CommonName == user
}

// system reads the state of kube-system: its controllers, the pods there that do not run, on whatever node,
// and its warnings.
func (n *nodeSurvey) system(ctx context.Context) {
	ns := metav1.NamespaceSystem
	s := n.survey
	readList(ctx, s, evidence.Workloads, kube.DaemonSets, kube.Query{Namespace: ns, MaxPages: maxPages}, nil)
	readList(ctx, s, evidence.Workloads, kube.Deployments, kube.Query{Namespace: ns, MaxPages: maxPages}, nil)
	o := list(ctx, s, evidence.Pods, kube.Pods, kube.Query{Namespace: ns, MaxPages: 1, PageSize: 100, Fields: fields.AndSelectors(
		fields.OneTermNotEqualSelector("spec.nodeName", n.name), // those are read with the node's
		fields.OneTermNotEqualSelector("status.phase", string(corev1.PodRunning)),
		fields.OneTermNotEqualSelector("status.phase", string(corev1.PodSucceeded)),
	).String()}, nil)
	o.aside = true
	s.note(o)
	n.events(ctx, ns, fields.OneTermNotEqualSelector("type", corev1.EventTypeNormal))
}

// events reads one page of the events that the selector picks. Events are never complete here: those about
// other objects are not asked for.
func (n *nodeSurvey) events(ctx context.Context, namespace string, selector fields.Selector) {
	o := list(ctx, n.survey, evidence.Events, kube.Events, kube.Query{Namespace: namespace, Fields: selector.String(), MaxPages: 1}, n.newEvent)
	o.all, o.some = false, o.err == nil
	n.note(o)
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
