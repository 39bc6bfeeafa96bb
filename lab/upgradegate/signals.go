package upgradegate

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
)

// providerLabel is the label of a signal by which AKS knows its provider.
const providerLabel = "health.aks.io/provider"

// verdict is that of one provider.
type verdict struct{ status, reason string }

// watcher knows all signals, by the UID of the request that owns them.
type watcher struct {
	mu      sync.Mutex
	signals map[types.UID]map[string]verdict // by request and name of the signal
	labels  map[string]string                // provider by name of the signal
	changed map[types.UID]chan struct{}      // by request
	falses  map[types.UID]string             // the reason of a False that the request ever had
}

func watchSignals(ctx context.Context, client dynamic.Interface) (*watcher, error) {
	w := &watcher{signals: map[types.UID]map[string]verdict{}, labels: map[string]string{}, changed: map[types.UID]chan struct{}{}, falses: map[types.UID]string{}}
	informer := dynamicinformer.NewDynamicSharedInformerFactory(client, 0).ForResource(Signals).Informer()
	put := func(o any) {
		if u, ok := o.(*unstructured.Unstructured); ok {
			w.put(u)
		}
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: put, UpdateFunc: func(_, o any) { put(o) }}); err != nil {
		return nil, err
	}
	go informer.RunWithContext(ctx)
	synced, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if !cache.WaitForCacheSync(synced.Done(), informer.HasSynced) {
		return nil, fmt.Errorf("watch signals: %w", synced.Err())
	}
	return w, nil
}

// put takes a signal. Any condition that is False makes its verdict False, and else one that is True makes it True.
func (w *watcher) put(u *unstructured.Unstructured) {
	var s verdict
	conditions, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		status, _, _ := unstructured.NestedString(condition, "status")
		if s.status == "" || status == "False" || status == "True" && s.status == "Unknown" {
			reason, _, _ := unstructured.NestedString(condition, "reason")
			s = verdict{status, reason}
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.labels[u.GetName()] = u.GetLabels()[providerLabel]
	for _, owner := range u.GetOwnerReferences() {
		if w.signals[owner.UID] == nil {
			w.signals[owner.UID] = map[string]verdict{}
		}
		w.signals[owner.UID][u.GetName()] = s
		if s.status == "False" {
			w.falses[owner.UID] = s.reason
		}
		if c := w.changed[owner.UID]; c != nil {
			close(c)
			delete(w.changed, owner.UID)
		}
	}
}

// next returns a channel that is closed at the next change of a signal for the request.
func (w *watcher) next(request types.UID) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed[request] == nil {
		w.changed[request] = make(chan struct{})
	}
	return w.changed[request]
}

// of returns the verdicts about a request by the provider that the label names. A signal without the label does not count.
func (w *watcher) of(request types.UID) map[string]verdict {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := map[string]verdict{}
	for name, s := range w.signals[request] {
		provider := w.labels[name]
		if before, twice := out[provider]; provider != "" && (!twice || before.status != "False") {
			out[provider] = s
		}
	}
	return out
}

// falsesAbout returns how many of the requests got a False at any time.
func (w *watcher) falsesAbout(requests []types.UID) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, r := range requests {
		if _, refused := w.falses[r]; refused {
			n++
		}
	}
	return n
}
