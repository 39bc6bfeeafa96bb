package kube

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
)

// podServer is a faulty API server: it pages through pods by key, and fault decides for every request whether it fails.
// The lab tests a real API server.
type podServer struct {
	pods   []corev1.Pod
	silent bool // omits remainingItemCount
	json   bool
	// version is the resource version of the first page. Each page after it has a newer one.
	version string
	fault   func(n int, w http.ResponseWriter, r *http.Request) bool // n counts requests from 1

	mu       sync.Mutex
	requests int
}

func somePods(n int) []corev1.Pod {
	pods := make([]corev1.Pod, n)
	for i := range pods {
		pods[i].Namespace, pods[i].Name = fmt.Sprintf("ns-%02d", i/10), fmt.Sprintf("pod-%04d", i)
	}
	return pods
}

func (s *podServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests++
	n := s.requests
	s.mu.Unlock()
	if s.fault != nil && s.fault(n, w, r) {
		return
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	if limit == 0 {
		limit = len(s.pods)
	}
	to := min(from+limit, len(s.pods))
	list := corev1.PodList{Items: s.pods[from:to]}
	if list.ResourceVersion = s.version; from > 0 {
		list.ResourceVersion += "5"
	}
	if to < len(s.pods) {
		list.Continue = strconv.Itoa(to)
		if !s.silent {
			remaining := int64(len(s.pods) - to)
			list.RemainingItemCount = &remaining
		}
	}
	if s.json {
		list.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"}
		json.NewEncoder(w).Encode(&list)
		return
	}
	w.Write(protobuf("v1", "PodList", &list))
}

type marshaler interface{ Marshal() ([]byte, error) }

func protobuf(version, kind string, obj marshaler) []byte {
	raw, err := obj.Marshal()
	if err != nil {
		panic(err)
	}
	envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: version, Kind: kind}, Raw: raw}
	body, err := envelope.Marshal()
	if err != nil {
		panic(err)
	}
	return append([]byte(string(magic)), body...)
}

// refuse answers with a Status, like an API server.
func refuse(w http.ResponseWriter, code int, reason metav1.StatusReason, message, token string) bool {
	return answerStatus(w, &metav1.Status{
		ListMeta: metav1.ListMeta{Continue: token}, Status: "Failure", Reason: reason, Message: message, Code: int32(code),
	})
}

func answerStatus(w http.ResponseWriter, status *metav1.Status) bool {
	w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf")
	w.WriteHeader(int(status.Code))
	w.Write(protobuf("v1", "Status", status))
	return true
}

func readerOf(t *testing.T, handler http.Handler, opt Options) *Reader {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return readerAt(t, server.URL, opt)
}

func readerAt(t *testing.T, host string, opt Options) *Reader {
	t.Helper()
	if opt.Timeout == 0 {
		opt.Timeout = 10 * time.Second
	}
	r, err := NewReader(&rest.Config{Host: host}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// names reads the list and returns the names in order.
func names(t *testing.T, r *Reader, q Query) ([]string, bool, error) {
	t.Helper()
	var out []string
	all, err := List(t.Context(), r, Pods, q, func(page []corev1.Pod) error {
		for _, p := range page {
			out = append(out, strings.TrimPrefix(p.Name, "pod-"))
		}
		return nil
	})
	return out, all, err
}
