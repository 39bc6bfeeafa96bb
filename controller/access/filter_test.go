package access

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-logr/logr"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// Only a user whom the API server knows and allows to get the path reads it, and the API server is asked once.
func TestFilter(t *testing.T) {
	scheme := runtime.NewScheme()
	if authenticationv1.AddToScheme(scheme) != nil || authorizationv1.AddToScheme(scheme) != nil {
		t.Fatal("no scheme")
	}
	asked, down := 0, false
	c := fake.NewClientBuilder().WithScheme(scheme).WithInterceptorFuncs(interceptor.Funcs{
		Create: func(_ context.Context, _ client.WithWatch, o client.Object, _ ...client.CreateOption) error {
			asked++
			if down {
				return errors.New("no route")
			}
			switch o := o.(type) {
			case *authenticationv1.TokenReview:
				o.Status.Authenticated, o.Status.User.Username = o.Spec.Token != "wrong", o.Spec.Token
			case *authorizationv1.SubjectAccessReview:
				at := o.Spec.NonResourceAttributes
				o.Status.Allowed = o.Spec.User == "scraper" && at.Verb == "get" && at.Path == "/metrics"
			}
			return nil
		},
	}).Build()
	page := New(c).Wrap(logr.Discard(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	get := func(path, authorization string) (status, requests int) {
		before := asked
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Authorization", authorization)
		w := httptest.NewRecorder()
		page.ServeHTTP(w, r)
		return w.Code, asked - before
	}
	for _, c := range []struct {
		path, authorization string
		status, requests    int
	}{
		{"/metrics", "", http.StatusUnauthorized, 0},
		{"/metrics", "Basic c2NyYXBlcjo=", http.StatusUnauthorized, 0},
		{"/metrics", "Bearer wrong", http.StatusUnauthorized, 1},
		{"/metrics", "Bearer guest", http.StatusForbidden, 2},
		{"/metrics", "Bearer scraper", http.StatusOK, 2},
		{"/metrics", "Bearer scraper", http.StatusOK, 0},
		{"/other", "Bearer scraper", http.StatusForbidden, 2},
	} {
		if status, requests := get(c.path, c.authorization); status != c.status || requests != c.requests {
			t.Errorf("%s with %q: %d after %d requests, want %d after %d", c.path, c.authorization, status, requests, c.status, c.requests)
		}
	}
	down = true
	if status, _ := get("/metrics", "Bearer another"); status != http.StatusInternalServerError {
		t.Errorf("without an API server: %d", status)
	}
	down = false
	if status, _ := get("/metrics", "Bearer another"); status != http.StatusForbidden {
		t.Errorf("a failure is remembered: %d", status)
	}
}
