package agent

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
)

// podToken returns the service account token of this pod.
func podToken() (string, error) {
	data, err := os.ReadFile("/var/run/secrets/kubernetes.io/serviceaccount/token")
	return strings.TrimSpace(string(data)), err
}

// wordFor classifies network errors.
func wordFor(err error) string {
	var lookup *net.DNSError
	var verify *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var alert tls.AlertError
	var record tls.RecordHeaderError
	var timeout net.Error
	switch {
	case errors.As(err, &lookup):
		return "dns"
	case errors.As(err, &verify), errors.As(err, &authority), errors.As(err, &alert), errors.As(err, &record):
		return "tls"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, syscall.EPIPE):
		return "reset"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.ENETDOWN):
		return "unreachable"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "timeout"
	}
	return "error"
}

func bareURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
