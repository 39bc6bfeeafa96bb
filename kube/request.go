package kube

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// Bounds of one request.
const (
	maxBody     = 64 << 20         // bytes of a response; usually 5 MB, lists of large objects have smaller pages
	maxError    = 64 << 10         // bytes of an error response
	maxAttempts = 10               // on 429; with many concurrent requests some are rejected often
	maxBroken   = 3                // on broken connections and 5xx
	maxPause    = 10 * time.Second // limit for Retry-After
)

// request is one request and the parts of its error messages. A Reader leaves method empty: it only sends GETs.
type request struct {
	verb, resource, object string
	method                 string // empty: GET
	path                   string
	query                  url.Values
	accept                 string
	contentType            string
	body                   []byte
}

func (q request) fail(reason Reason, message string, err error) *Error {
	return &Error{Reason: reason, Verb: q.verb, Resource: q.resource, Object: q.object, Message: message, Err: err}
}

// get sends the request, retries if useful, and passes the body to use, which must not keep it. The timeout covers
// everything, including the wait for a slot. A server that hangs therefore costs one timeout, regardless of how many
// requests wait.
func (r *Reader) get(ctx context.Context, q request, use func(body []byte) error) error {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	throttled, broken := 0, 0
	var last error // answer to the previous attempt
	for {
		err := r.turn(ctx, q, use)
		var e *Error
		if !errors.As(err, &e) {
			return err
		}
		if last != nil && errors.Is(err, context.DeadlineExceeded) {
			return last // more useful than a timeout error
		}
		last = err
		pause := e.retryAfter
		switch e.Reason {
		case Throttled:
			if throttled++; throttled >= maxAttempts {
				return err
			}
			pause = 0 // pace waits instead
		case Unavailable, Unreachable:
			if broken++; broken >= maxBroken {
				return err
			}
			pause = max(pause, time.Duration(broken)*200*time.Millisecond)
		case Timeout:
			if !e.behind {
				return err
			}
			pause = max(pause, 200*time.Millisecond)
		default:
			return err
		}
		if Sleep(ctx, pause) != nil {
			return err
		}
	}
}

// turn sends the request once, when a slot is free.
func (r *Reader) turn(ctx context.Context, q request, use func([]byte) error) error {
	if err := r.pace.acquire(ctx); err != nil {
		return q.fail(Timeout, "no answer in time", err)
	}
	err := r.once(ctx, q, use)
	var e *Error
	if errors.As(err, &e) && e.Reason == Throttled {
		r.pace.release(true, max(e.retryAfter, 100*time.Millisecond))
	} else {
		r.pace.release(false, 0)
	}
	return err
}

func (r *Reader) once(ctx context.Context, q request, use func([]byte) error) error {
	resp, err := r.send(ctx, q)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusCreated {
		return q.answerError(resp)
	}
	buf := r.bodies.take()
	defer r.bodies.give(buf)
	n, err := buf.ReadFrom(io.LimitReader(resp.Body, keptBody))
	if n == keptBody && err == nil {
		if err := r.takeTurn(ctx); err != nil {
			return q.fail(Timeout, "no answer in time", err)
		}
		defer func() { <-r.large }()
		n, err = buf.ReadFrom(io.LimitReader(resp.Body, maxBody-keptBody+1))
	}
	switch {
	case err != nil:
		reason, text := transportError(err)
		return q.fail(reason, text, err)
	case n > maxBody-keptBody:
		return q.fail(Failed, errLong.Error(), errLong)
	}
	if err := use(buf.Bytes()); err != nil {
		return q.fail(Failed, bound("the answer cannot be read: "+err.Error()), err)
	}
	return nil
}

// errLong means that the response exceeds maxBody.
var errLong = fmt.Errorf("the answer is longer than %d MB", maxBody>>20)

// tooLarge reports whether a smaller page may fit.
func tooLarge(err error) bool {
	return errors.Is(err, errLong) || errors.Is(err, bounds.ErrElements)
}

// takeTurn waits until no other large response is in memory: ten at once would take gigabytes.
func (r *Reader) takeTurn(ctx context.Context) error {
	select {
	case r.large <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// refusal returns the message of a PodDisruptionBudget that rejects an eviction, or "".
func refusal(status *metav1.Status) string {
	if status == nil || status.Details == nil {
		return ""
	}
	for _, c := range status.Details.Causes {
		if c.Type == policyv1.DisruptionBudgetCause {
			return bound(c.Message)
		}
	}
	return ""
}

// isBehind reports whether the watch cache of the server is behind etcd. The server has waited three seconds by then
// and asks for a retry (kubernetes staging/src/k8s.io/apiserver/pkg/storage/errors.go, NewTooLargeResourceVersionError,
// v1.36.3).
func isBehind(status *metav1.Status) bool {
	return status.Details != nil && slices.ContainsFunc(status.Details.Causes, func(c metav1.StatusCause) bool {
		return c.Type == metav1.CauseTypeResourceVersionTooLarge
	})
}

// denials matches the start of the message about the policy or webhook that denied a request (kubernetes
// staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go and
// .../plugin/webhook/errors/statuserror.go, v1.36.3).
var denials = lazyregexp.New(`(?:ValidatingAdmissionPolicy '[^']+'|admission webhook "[^"]+") (?:with binding '[^']+' )?denied (?:the )?request(?:: |$| without explanation)`)

// denial returns the message of the admission plugin that denied the request, or "".
func denial(status *metav1.Status) string {
	if status == nil {
		return ""
	}
	at := denials.FindStringIndex(status.Message)
	if at == nil {
		return ""
	}
	return bound(status.Message[at[0]:])
}

// checkNames rejects names that change the URL path. Names come from users and from objects.
func (q request) checkNames(names ...string) error {
	for _, n := range names {
		if n == "." || n == ".." || strings.ContainsAny(n, "/%?#:\\") {
			return q.fail(NotFound, fmt.Sprintf("%q is not a name that an object can have", bound(n)), nil)
		}
	}
	return nil
}

// send returns the response, regardless of its status.
func (r *Reader) send(ctx context.Context, q request) (*http.Response, error) {
	u := *r.base
	u.Path = strings.TrimSuffix(u.Path, "/") + q.path
	u.RawQuery = q.query.Encode()
	req, err := http.NewRequestWithContext(ctx, cmp.Or(q.method, http.MethodGet), u.String(), bytes.NewReader(q.body))
	if err != nil {
		return nil, q.fail(Failed, bound(err.Error()), err)
	}
	req.Header.Set("User-Agent", r.agent)
	if q.accept != "" {
		req.Header.Set("Accept", q.accept)
	}
	if q.contentType != "" {
		req.Header.Set("Content-Type", q.contentType)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		reason, text := transportError(err)
		return nil, q.fail(reason, text, err)
	}
	date, _ := http.ParseTime(resp.Header.Get("Date"))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answered = true
	if strings.HasSuffix(q.resource, "/proxy") { // the Date header may come from the node
		return resp, nil
	}
	if date.After(r.date) {
		r.date = date
	}
	return resp, nil
}

// answerError returns an Error for a response other than 200.
func (q request) answerError(resp *http.Response) *Error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxError))
	status := decodeStatus(body)
	e := q.fail(statusReason(resp.StatusCode, status), "", nil)
	if status != nil {
		e.Message = bound(status.Message)
		e.continueToken = status.Continue
		e.Refusal = cmp.Or(refusal(status), denial(status))
		if status.Details != nil {
			e.retryAfter = bounds.Times(int64(status.Details.RetryAfterSeconds), time.Second)
		}
		e.behind = isBehind(status)
	} else {
		e.Message = bound(strings.TrimSpace(fmt.Sprintf("HTTP %d %s", resp.StatusCode, body)))
	}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s >= 0 {
		e.retryAfter = bounds.Times(int64(s), time.Second)
	}
	e.retryAfter = min(e.retryAfter, maxPause)
	return e
}
