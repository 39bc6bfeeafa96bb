package kube

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/wording"
)

// Reason classes what went wrong, so that callers can tell what to do about it.
type Reason string

// Unreachable and Timeout mean that nothing came back; all others are answers.
const (
	Unreachable  Reason = "unreachable"  // no connection: refused, no such host, certificate not trusted, cut
	Timeout      Reason = "timed out"    // no answer in time
	Unauthorized Reason = "unauthorized" // the credentials were not accepted, or could not be made
	Forbidden    Reason = "forbidden"    // the credentials lack a permission
	Throttled    Reason = "throttled"    // 429 to the last attempt
	NotFound     Reason = "not found"    // no such object, or the server does not serve the resource
	Expired      Reason = "expired"      // 410: the list moved on too fast
	Refused      Reason = "refused"      // 429 to an eviction, by a disruption budget
	Denied       Reason = "denied"       // by an admission policy or webhook
	Conflict     Reason = "conflict"     // the object is not, or not any more, as the change expects it
	Unavailable  Reason = "unavailable"  // 5xx: the server, or what stands before it, cannot answer now
	Failed       Reason = "failed"       // anything else
)

// Error is a failed read or write.
type Error struct {
	Reason   Reason
	Verb     string // get, list, evict, patch
	Resource string // "pods", "deployments.apps", "nodes/proxy"; empty: a path outside the resources
	Object   string // namespace/name where one object was asked for, or the namespace
	Message  string // of the server or the transport
	Err      error  // the transport's, or nil
	Refusal  string // the own words of a disruption budget that refused an eviction, or of admission
	Rest     Rest   // of a list: how far it came

	// retryAfter is what the server asked for; continueToken goes on with an expired list.
	retryAfter    time.Duration
	continueToken string
	behind        bool // Timeout: the server's watch cache has not come as far as the cluster yet
}

// Rest is how far a list came before a page of it failed. The zero value is of what is no list.
type Rest struct {
	Page int    // that failed, from 1
	Read int    // objects of the pages before
	Left *int64 // objects after those, as the server said; nil: it did not
}

// of notes it on the error.
func (r Rest) of(err error) error {
	var e *Error
	if errors.As(err, &e) {
		e.Rest = r
	}
	return err
}

func (e *Error) Error() string {
	what := strings.TrimSpace(e.Resource + " " + e.Object)
	if e.Message == "" {
		return fmt.Sprintf("%s %s: %s", e.Verb, what, e.Reason)
	}
	return fmt.Sprintf("%s %s: %s: %s", e.Verb, what, e.Reason, e.Message)
}

func (e *Error) Unwrap() error { return e.Err }

// ReasonOf classes any error of this package; "" for nil.
func ReasonOf(err error) Reason {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Reason
	}
	return Failed
}

const maxMessage = 500 // bytes of a server's words that are kept

func bound(s string) string { return wording.Cut(strings.TrimSpace(s), maxMessage) }

// transportError classes an error that came instead of an answer.
func transportError(err error) (Reason, string) {
	var (
		uerr *url.Error
		nerr net.Error
		unk  x509.UnknownAuthorityError
		host x509.HostnameError
		bad  x509.CertificateInvalidError
		veri *tls.CertificateVerificationError
		dns  *net.DNSError
	)
	text := err.Error()
	if errors.As(err, &uerr) {
		text = uerr.Err.Error() // without the method and the address, which callers name
	}
	switch {
	case strings.Contains(text, "getting credentials:"):
		return Unauthorized, bound(text) // a credential plugin failed
	case errors.As(err, &unk), errors.As(err, &host), errors.As(err, &bad), errors.As(err, &veri):
		return Unreachable, bound(text)
	case errors.As(err, &dns) && dns.IsNotFound:
		return Unreachable, bound(text)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &nerr) && nerr.Timeout():
		return Timeout, ""
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return Unreachable, bound(text)
	}
	return Unreachable, bound(text)
}

// statusReason classes an HTTP status.
func statusReason(code int, status *metav1.Status) Reason {
	switch {
	case denial(status) != "":
		return Denied // with any code that its author chose
	case code == http.StatusUnauthorized:
		return Unauthorized
	case code == http.StatusForbidden:
		return Forbidden
	case code == http.StatusNotFound:
		return NotFound
	case code == http.StatusGone, status != nil && status.Reason == metav1.StatusReasonExpired:
		return Expired
	case code == http.StatusTooManyRequests && refusal(status) != "":
		return Refused
	case code == http.StatusConflict, code == http.StatusUnprocessableEntity: // 422: a test of a JSON patch failed
		return Conflict
	case code == http.StatusTooManyRequests:
		return Throttled
	case code == http.StatusGatewayTimeout, code == http.StatusRequestTimeout:
		return Timeout
	case code >= 500:
		return Unavailable
	}
	return Failed
}
