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

// Reason classifies an error so that callers can react to it.
type Reason string

// Unreachable and Timeout mean that the server did not answer. All other reasons are answers.
const (
	Unreachable  Reason = "unreachable"  // no connection: refused, no such host, certificate not trusted, cut
	Timeout      Reason = "timed out"    // no answer in time
	Unauthorized Reason = "unauthorized" // the credentials were rejected, or the credential plugin failed
	Forbidden    Reason = "forbidden"    // the credentials do not have a permission
	Throttled    Reason = "throttled"    // 429 after the last attempt
	NotFound     Reason = "not found"    // no such object, or the server does not serve the resource
	Expired      Reason = "expired"      // 410: the list moved on too fast
	Refused      Reason = "refused"      // 429 to an eviction, from a PodDisruptionBudget
	Denied       Reason = "denied"       // by an admission policy or webhook
	Conflict     Reason = "conflict"     // the object changed or does not have the expected state
	Unavailable  Reason = "unavailable"  // 5xx: the server or its load balancer cannot answer now
	Failed       Reason = "failed"       // anything else
)

// Error is a failed read or write.
type Error struct {
	Reason   Reason
	Verb     string // get, list, evict, patch
	Resource string // "pods", "deployments.apps", "nodes/proxy"; empty: a path without a resource
	Object   string // namespace/name of one object, or the namespace
	Message  string // from the server or the transport
	Err      error  // from the transport, or nil
	Refusal  string // message of the PodDisruptionBudget or the admission plugin that rejected the request
	Rest     Rest   // of a list: its progress

	// retryAfter is the Retry-After of the server. continueToken continues an expired list.
	retryAfter    time.Duration
	continueToken string
	behind        bool // Timeout: the watch cache of the server is behind etcd
}

// Rest is the progress of a list before a page failed. The zero value means that the request was not a list.
type Rest struct {
	Page int    // that failed, from 1
	Read int    // objects in the pages before
	Left *int64 // remaining objects by the server; nil: unknown
}

// of sets r on the error.
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

// ReasonOf returns the Reason of any error of this package, and "" for nil.
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

const maxMessage = 500 // bytes of a server message to keep

func bound(s string) string { return wording.Cut(strings.TrimSpace(s), maxMessage) }

// transportError classifies an error of the transport.
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
		text = uerr.Err.Error() // without method and address, which the callers add
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

// statusReason classifies an HTTP status.
func statusReason(code int, status *metav1.Status) Reason {
	switch {
	case denial(status) != "":
		return Denied // admission plugins choose any code
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
