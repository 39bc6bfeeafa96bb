package access

import (
	"context"
	"crypto/sha256"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The times that answers of the API server are used. Many are kept at most, so that wrong tokens do not fill the memory.
const (
	kept     = time.Minute
	maxKept  = 1000
	patience = 10 * time.Second
)

// Filter checks requests. New creates it.
type Filter struct {
	client client.Client

	mu      sync.Mutex
	answers map[question]answer
}

// question is a token and what is done with it. The token itself is not kept.
type question struct {
	token [sha256.Size]byte
	path  string
}

type answer struct {
	status int // http.StatusOK: allowed
	at     time.Time
}

// New returns a filter that asks the API server of the client.
func New(c client.Client) *Filter {
	return &Filter{client: c, answers: map[question]answer{}}
}

// Wrap returns a handler that serves allowed requests with next.
func (f *Filter) Wrap(log logr.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !found || token == "" {
			http.Error(w, "a bearer token is required", http.StatusUnauthorized)
			return
		}
		status, err := f.check(r.Context(), token, r.URL.Path)
		switch {
		case err != nil:
			log.Error(err, "the API server did not answer who may read a page", "path", r.URL.Path)
			http.Error(w, "the API server did not answer whether this is allowed", http.StatusInternalServerError)
		case status != http.StatusOK:
			http.Error(w, http.StatusText(status), status)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (f *Filter) check(ctx context.Context, token, path string) (int, error) {
	q := question{sha256.Sum256([]byte(token)), path}
	f.mu.Lock()
	a, known := f.answers[q]
	f.mu.Unlock()
	if known && time.Since(a.at) < kept {
		return a.status, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	status, err := f.ask(ctx, token, path)
	if err != nil {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.answers) >= maxKept {
		clear(f.answers)
	}
	f.answers[q] = answer{status, time.Now()}
	return status, nil
}

// ask asks the API server who has the token and whether this user may get the path.
func (f *Filter) ask(ctx context.Context, token, path string) (int, error) {
	who := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token}}
	if err := f.client.Create(ctx, who); err != nil {
		return 0, err
	}
	if !who.Status.Authenticated {
		return http.StatusUnauthorized, nil
	}
	user := who.Status.User
	may := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: user.Username, UID: user.UID, Groups: user.Groups, Extra: map[string]authorizationv1.ExtraValue{},
		NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: path, Verb: "get"},
	}}
	for key, values := range user.Extra {
		may.Spec.Extra[key] = authorizationv1.ExtraValue(values)
	}
	if err := f.client.Create(ctx, may); err != nil {
		return 0, err
	}
	if !may.Status.Allowed {
		return http.StatusForbidden, nil
	}
	return http.StatusOK, nil
}
