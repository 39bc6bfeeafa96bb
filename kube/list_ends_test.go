package kube

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The error of a failed page has the progress of the list.
func TestListSaysHowFarItCame(t *testing.T) {
	t.Parallel()
	status := func(code int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { refuse(w, code, metav1.StatusReasonUnknown, "no", "") }
	}
	text := func(body string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { _, _ = w.Write([]byte(body)) }
	}
	for name, fail := range map[string]func(http.ResponseWriter){
		"500": status(500), "403": status(403), "401": status(401), "410": status(410),
		"HTML": text("<html>sign in</html>"), "an empty object": text("{}"), "an empty body": text(""),
		"a Status that says 200": text(`{"kind":"Status","apiVersion":"v1","status":"Failure"}`),
		"cut off":                text(`{"kind":"PodList","items":[{"metadata":{"name":"a"}}`),
		"cut off protobuf":       text("k8s\x00\x0a\x0d\x0a\x02v1\x12\x07PodL"),
	} {
		t.Run(name, func(t *testing.T) {
			r := readerOf(t, &podServer{pods: somePods(50), fault: func(_ int, w http.ResponseWriter, req *http.Request) bool {
				if req.URL.Query().Get("continue") != "20" {
					return false
				}
				fail(w)
				return true
			}}, Options{})
			got, all, err := names(t, r, Query{PageSize: 10})
			var e *Error
			if len(got) != 20 || all || !errors.As(err, &e) {
				t.Fatalf("%d pods, all %v, %v", len(got), all, err)
			}
			if e.Rest.Page != 3 || e.Rest.Read != 20 || e.Rest.Left == nil || *e.Rest.Left != 30 {
				t.Errorf("the rest is %+v", e.Rest)
			}
		})
	}
}

// A list that repeats itself returns an error, and delivers each object once.
func TestListWithoutEnd(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]func(n int) (from int, token string){
		"the same token":                        func(int) (int, string) { return 0, "again" },
		"two tokens in turn":                    func(n int) (int, string) { return n * 10, strconv.Itoa(n % 2) },
		"other tokens, and the same objects":    func(n int) (int, string) { return 0, strconv.Itoa(n) },
		"other tokens, and objects from before": func(n int) (int, string) { return (n % 2) * 10, strconv.Itoa(n) },
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			r := readerOf(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				from, token := next(n)
				n++
				list := corev1.PodList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"}, Items: somePods(100)[from : from+10]}
				list.Continue = token
				_ = json.NewEncoder(w).Encode(&list)
			}), Options{})
			got, all, err := names(t, r, Query{})
			if all || err == nil || !strings.Contains(err.Error(), "the list does not end") || len(got) > 30 {
				t.Errorf("%d pods, all %v, %v", len(got), all, err)
			}
		})
	}
}

// A list with too many pages ends, even if each has new objects.
func TestListOfTooManyPages(t *testing.T) {
	t.Parallel()
	n := 0
	r := readerOf(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		list := corev1.PodList{Items: somePods(n + 1)[n:]}
		n++
		list.Continue = strconv.Itoa(n)
		_, _ = w.Write(protobuf("v1", "PodList", &list))
	}), Options{})
	got, all, err := names(t, r, Query{PageSize: maxListed / 20})
	if len(got) != 20 || all || err == nil {
		t.Errorf("%d pods, all %v, %v", len(got), all, err)
	}
}
