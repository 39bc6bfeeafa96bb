package survey

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/kube"
)

const socketGone = `Internal Error: failed to get imageFs stats: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: no such file or directory"`

// A server error of a kubelet is evidence if it occurs again. A timeout is evidence if the kubelet responds to /healthz. If the
// node is Ready, a request that timed out is repeated once.
func TestRefusals(t *testing.T) {
	stats := `{"node": {"nodeName": "w1", "rlimit": {"curproc": 7}}}`
	fails := func(times int32) http.HandlerFunc {
		var asked atomic.Int32
		return func(w http.ResponseWriter, _ *http.Request) {
			if asked.Add(1) <= times {
				http.Error(w, socketGone, http.StatusInternalServerError)
				return
			}
			fmt.Fprint(w, stats)
		}
	}
	late := func(answer string) http.HandlerFunc { // only once
		var asked atomic.Int32
		return func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 1 {
				<-r.Context().Done()
				return
			}
			fmt.Fprint(w, answer)
		}
	}
	ready := &corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}}}
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	forbids := func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Forbidden", http.StatusForbidden) }
	const short = 10 * time.Second // /healthz has half of it for its response, which may be late on a busy machine
	cases := map[string]struct {
		node             *corev1.Node
		healthz, summary http.HandlerFunc
		want             []evidence.KubeletRefusal
		stats            bool
		says             string        // a signature that the text matches
		limit            time.Duration // for one request; unset if nothing hangs
	}{
		"every time": {summary: fails(9), want: []evidence.KubeletRefusal{{Path: "/stats/summary", Status: 500, Text: socketGone}}, says: "kubelet-cri-socket-refused"},
		"for once":   {summary: fails(1), stats: true},
		"silent":     {summary: silent, want: []evidence.KubeletRefusal{{Path: "/stats/summary"}}, limit: short},
		"not let in": {summary: forbids},
		"all silent": {healthz: silent, summary: silent, limit: time.Second},
		"busy":       {node: ready, healthz: late("ok"), summary: late(stats), stats: true, limit: short},
		"late, and nothing says that it is ready": {summary: late(stats), want: []evidence.KubeletRefusal{{Path: "/stats/summary"}}, limit: short},
	}
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch strings.TrimPrefix(r.URL.Path, "/api/v1/nodes/w1/proxy") {
				case "/healthz":
					if c.healthz != nil {
						c.healthz(w, r)
						return
					}
					fmt.Fprint(w, "ok")
				case "/configz":
					fmt.Fprint(w, `{"kubeletconfig": {"maxPods": 110}}`)
				case "/stats/summary":
					c.summary(w, r)
				}
			}))
			defer server.Close()
			reader, err := kube.NewReader(&rest.Config{Host: server.URL}, kube.Options{Timeout: 10 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, set)
			s := newSurvey(reader, b, Options{ProbeTimeout: cmp.Or(c.limit, time.Minute), AskAgain: time.Millisecond})
			s.probe(t.Context(), "w1", c.node)
			snapshot := b.Snapshot()
			k := snapshot.Data().Kubelets[0]
			if !slices.Equal(k.Refusals, c.want) {
				t.Errorf("refusals %+v, want %+v", k.Refusals, c.want)
			}
			if (k.Stats != nil) != c.stats {
				t.Errorf("stats: %v", k.Stats)
			}
			if c.says != "" && len(snapshot.MatchesOf(c.says)) != 1 {
				t.Errorf("the refusal was not searched for %s", c.says)
			}
			if len(c.want) > 0 && len(snapshot.Data().Gaps) == 0 {
				t.Error("no gap tells what was not read")
			}
		})
	}
}

// If the kubelet port is unreachable, a running kubelet still renews its Lease on time.
func TestBeats(t *testing.T) {
	t.Parallel()
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	renewals := func(every time.Duration) func() time.Time {
		return func() time.Time { return begun.Add(time.Since(begun).Truncate(every)) }
	}
	for name, c := range map[string]struct {
		ready   corev1.ConditionStatus
		renewed func() time.Time // nil: the Lease may not be read
		want    *bool
	}{
		"lives":         {corev1.ConditionTrue, renewals(time.Millisecond), new(true)},
		"stopped":       {corev1.ConditionTrue, func() time.Time { return begun }, new(false)},
		"not to be had": {corev1.ConditionTrue, nil, nil},
		"not ready":     {corev1.ConditionUnknown, renewals(time.Millisecond), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				switch {
				case !strings.HasSuffix(r.URL.Path, "/leases/w1"):
					w.WriteHeader(http.StatusServiceUnavailable)
					fmt.Fprint(w, `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 503, "message": "error trying to reach service: dial tcp 10.0.0.1:10250: connect: connection refused"}`)
					return
				case c.renewed == nil:
					w.WriteHeader(http.StatusForbidden)
					fmt.Fprint(w, `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403, "reason": "Forbidden", "message": "no"}`)
					return
				}
				fmt.Fprintf(w, `{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "w1"}, "spec": {"renewTime": %q}}`, c.renewed().UTC().Format(metav1.RFC3339Micro))
			}))
			defer server.Close()
			reader, err := kube.NewReader(&rest.Config{Host: server.URL}, kube.Options{Timeout: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, set)
			s := newSurvey(reader, b, Options{ProbeTimeout: time.Minute, AskAgain: time.Millisecond, renewal: 20 * time.Millisecond})
			s.probe(t.Context(), "w1", &corev1.Node{Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: c.ready}}}})
			got := b.Snapshot().Data().Kubelets[0].Beats
			if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
				t.Errorf("beats: %v, want %v", got, c.want)
			}
		})
	}
}
