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
	maxBody     = 64 << 20         // bytes of an answer; usual are 5 MB, and a list of large objects comes in smaller pages
	maxError    = 64 << 10         // bytes of an error answer
	maxAttempts = 10               // while the server says 429: of many that ask at once, some are unlucky for long
	maxBroken   = 3                // while it breaks the connection or says 5xx
	maxPause    = 10 * time.Second // of what a server may ask for by Retry-After
)

// request is one request with the words for its errors. A Reader makes none with a method: they are GETs.
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

// get sends the request, tries again what is worth it, and hands the body to use, which must not keep it.
// The Reader's timeout holds for all of it, the wait for a turn too: so a server that hangs costs one
// timeout, however many requests wait.
func (r *Reader) get(ctx context.Context, q request, use func(body []byte) error) error {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	throttled, broken := 0, 0
	var last error // what the server answered to the try before
	for {
		err := r.turn(ctx, q, use)
		var e *Error
		if !errors.As(err, &e) {
			return err
		}
		if last != nil && errors.Is(err, context.DeadlineExceeded) {
			return last // it says more than that the time is over
		}
		last = err
		pause := e.retryAfter
		switch e.Reason {
		case Throttled:
			if throttled++; throttled >= maxAttempts {
				return err
			}
			pause = 0 // the pace waits
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

// turn sends the request once, when its turn has come.
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

// errLong is an answer of more than maxBody.
var errLong = fmt.Errorf("the answer is longer than %d MB", maxBody>>20)

// tooLarge reports whether the answer may fit if less is asked for.
func tooLarge(err error) bool {
	return errors.Is(err, errLong) || errors.Is(err, bounds.ErrElements)
}

// takeTurn waits until no other large answer is held: ten of them at once would take gigabytes.
func (r *Reader) takeTurn(ctx context.Context) error {
	select {
	case r.large <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// refusal is what a disruption budget says to an eviction; "" if none spoke.
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

// isBehind reports whether the server did not answer as its watch cache is behind the cluster. It has waited three seconds for it
// then, and asks to be asked again (kubernetes staging/src/k8s.io/apiserver/pkg/storage/errors.go, NewTooLargeResourceVersionError, v1.36.3).
func isBehind(status *metav1.Status) bool {
	return status.Details != nil && slices.ContainsFunc(status.Details.Causes, func(c metav1.StatusCause) bool {
		return c.Type == metav1.CauseTypeResourceVersionTooLarge
	})
}

// denials are how the API server begins to tell which policy or webhook refused a request
// (kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go and
// .../plugin/webhook/errors/statuserror.go, v1.36.3).
var denials = lazyregexp.New(`(?:ValidatingAdmissionPolicy '[^']+'|admission webhook "[^"]+") (?:with binding '[^']+' )?denied (?:the )?request(?:: |$| without explanation)`)

// denial is what admission said; "" if it did not refuse.
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

// checkNames refuses names that would lead elsewhere: they come from users and from objects.
func (q request) checkNames(names ...string) error {
	for _, n := range names {
		if n == "." || n == ".." || strings.ContainsAny(n, "/%?#:\\") {
			return q.fail(NotFound, fmt.Sprintf("%q is not a name that an object can have", bound(n)), nil)
		}
	}
	return nil
}

// send returns the answer, whatever its status.
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
	if strings.HasSuffix(q.resource, "/proxy") { // the date may be of the clock of a node
		return resp, nil
	}
	if date.After(r.date) {
		r.date = date
	}
	return resp, nil
}

// answerError makes an Error of an answer other than 200.
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
