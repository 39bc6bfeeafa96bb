//go:build unix

package conformance

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// moment is the time of an event with its uncertainty: the API truncates times to seconds, and a watch reports an event
// after it happened.
type moment struct{ from, to time.Time }

// stamped is a moment with a timestamp of the API server, observed now.
func stamped(t metav1.Time, seen time.Time) moment {
	to := t.Add(time.Second)
	if seen.Before(to) && seen.After(t.Time) {
		to = seen
	}
	return moment{t.Time, to}
}

// change is the start of a state.
type change struct {
	to string
	at moment
}

// podLog is the life of one pod.
type podLog struct {
	uid             types.UID
	namespace, name string
	node            string
	owner           string // Kind/name of the controller
	ended           bool   // it was Succeeded or Failed when first seen, or later
	created         moment
	bound           bool
	ready           []change // of the Ready condition
	deleted, gone   *moment
}

func (p *podLog) isReady() bool {
	return len(p.ready) > 0 && p.ready[len(p.ready)-1].to == string(corev1.ConditionTrue) && p.gone == nil
}

// nodeLog is the life of one node.
type nodeLog struct {
	ready    []change
	evicting []change // the key of the NoExecute taint for failed nodes, or ""
	taints   int
	gone     bool
}

// recorder watches all pods and nodes of a control plane.
type recorder struct {
	mu       sync.Mutex
	pods     map[types.UID]*podLog
	nodes    map[string]*nodeLog
	detached map[string]time.Time // volumes, by volume and node
	attached map[string]bool
}

func record(ctx context.Context, client *kubernetes.Clientset) *recorder {
	r := &recorder{pods: map[types.UID]*podLog{}, nodes: map[string]*nodeLog{}, detached: map[string]time.Time{}, attached: map[string]bool{}}
	follow(ctx, client.CoreV1().RESTClient(), "pods", &corev1.Pod{}, r.pod)
	follow(ctx, client.CoreV1().RESTClient(), "nodes", &corev1.Node{}, r.node)
	follow(ctx, client.StorageV1().RESTClient(), "volumeattachments", &storagev1.VolumeAttachment{}, r.attachment)
	return r
}

// follow reports every object that is added, changed or deleted.
func follow[T runtime.Object](ctx context.Context, from rest.Interface, resource string, object T, tell func(T, bool)) {
	handle := func(o any, gone bool) {
		if last, ok := o.(cache.DeletedFinalStateUnknown); ok {
			o = last.Obj
		}
		if object, ok := o.(T); ok {
			tell(object, gone)
		}
	}
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: cache.NewListWatchFromClient(from, resource, metav1.NamespaceAll, fields.Everything()), ObjectType: object,
		Handler: cache.ResourceEventHandlerFuncs{
			AddFunc: func(o any) { handle(o, false) }, UpdateFunc: func(_, o any) { handle(o, false) }, DeleteFunc: func(o any) { handle(o, true) },
		},
	})
	go informer.RunWithContext(ctx)
	cache.WaitForCacheSync(ctx.Done(), informer.HasSynced)
}

func (r *recorder) pod(p *corev1.Pod, gone bool) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.pods[p.UID]
	if l == nil {
		l = &podLog{uid: p.UID, namespace: p.Namespace, name: p.Name, created: stamped(p.CreationTimestamp, now)}
		if o := metav1.GetControllerOf(p); o != nil {
			l.owner = o.Kind + "/" + o.Name
		}
		r.pods[p.UID] = l
	}
	l.node = cmp.Or(p.Spec.NodeName, l.node)
	l.bound = l.node != ""
	l.ended = l.ended || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady && (len(l.ready) == 0 || l.ready[len(l.ready)-1].to != string(c.Status)) {
			l.ready = append(l.ready, change{string(c.Status), stamped(c.LastTransitionTime, now)})
		}
	}
	if l.deleted == nil && p.DeletionTimestamp != nil {
		var grace int64
		if p.DeletionGracePeriodSeconds != nil {
			grace = *p.DeletionGracePeriodSeconds
		}
		at := stamped(metav1.NewTime(p.DeletionTimestamp.Add(-time.Duration(grace)*time.Second)), now)
		l.deleted = &at
	}
	if gone {
		l.gone = &moment{now, now}
		if l.deleted == nil {
			l.deleted = l.gone
		}
	}
}

func (r *recorder) node(n *corev1.Node, gone bool) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.nodes[n.Name]
	if l == nil {
		l = &nodeLog{}
		r.nodes[n.Name] = l
	}
	l.gone, l.taints = gone, len(n.Spec.Taints)
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady && (len(l.ready) == 0 || l.ready[len(l.ready)-1].to != string(c.Status)) {
			l.ready = append(l.ready, change{string(c.Status), stamped(c.LastTransitionTime, now)})
		}
	}
	key, at := "", moment{now, now}
	for _, t := range n.Spec.Taints {
		if t.Effect == corev1.TaintEffectNoExecute && (t.Key == corev1.TaintNodeNotReady || t.Key == corev1.TaintNodeUnreachable) {
			key = t.Key
			if t.TimeAdded != nil {
				at = stamped(*t.TimeAdded, now)
			}
		}
	}
	if len(l.evicting) == 0 && key != "" || len(l.evicting) > 0 && l.evicting[len(l.evicting)-1].to != key {
		l.evicting = append(l.evicting, change{key, at})
	}
}

func (r *recorder) attachment(a *storagev1.VolumeAttachment, gone bool) {
	if a.Spec.Source.PersistentVolumeName == nil {
		return
	}
	key := *a.Spec.Source.PersistentVolumeName + " " + a.Spec.NodeName
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.attached[key] = a.Status.Attached && !gone; gone {
		r.detached[key] = time.Now()
	}
}

// in lists the current pods of a namespace by age and name.
func (r *recorder) in(namespace string) []podLog {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []podLog
	for _, p := range r.pods {
		if p.namespace == namespace {
			l := *p
			l.ready = slices.Clone(p.ready)
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b podLog) int {
		return cmp.Or(a.created.from.Compare(b.created.from), a.created.to.Compare(b.created.to), strings.Compare(a.name, b.name))
	})
	return out
}

// of returns the current node.
func (r *recorder) of(name string) nodeLog {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.nodes[name]
	if l == nil {
		return nodeLog{}
	}
	return nodeLog{slices.Clone(l.ready), slices.Clone(l.evicting), l.taints, l.gone}
}

// first returns the first change to a state that may have begun after a time.
func first(list []change, after time.Time, to func(string) bool) *moment {
	for _, c := range list {
		if c.at.to.After(after) && to(c.to) {
			return &c.at
		}
	}
	return nil
}
