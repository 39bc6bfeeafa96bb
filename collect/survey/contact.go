package survey

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/clouds"
	"github.com/nodetriage/nodetriage/kube"
)

const contactTimeout = 10 * time.Second // for the first response

// errNoUse ends a survey that cannot get any data, after it recorded the reason.
var errNoUse = errors.New("the API server accepts no request")

// contact requests the server version first. Only an unreachable API server ends the run. After any response, even an error, the
// survey continues.
func (s *survey) contact(ctx context.Context) error {
	first, cancel := context.WithTimeout(ctx, contactTimeout)
	defer cancel()
	version, err := s.reader.Version(first)
	switch kube.ReasonOf(err) {
	case "":
		s.builder.Edit(func(d *evidence.Data, _ *evidence.Templates) {
			d.Server.Version, d.Server.Provider = version, clouds.OfVersion(version).Service
		})
		return nil
	case kube.Unauthorized:
		why, how := explain([]outcome{{err: err}})
		s.builder.Incomplete(evidence.Everything, "everything in the cluster", why, how)
		return errNoUse
	case kube.Unreachable:
		return unreachable(s.reader.Host(), err)
	case kube.Timeout:
		if ctx.Err() != nil {
			return ctx.Err()
		}
		second, cancel := context.WithTimeout(ctx, contactTimeout)
		defer cancel()
		_, again := kube.List(second, s.reader, kube.Nodes, kube.Query{PageSize: 1, MaxPages: 1}, func([]corev1.Node) error { return nil })
		if !s.reader.Answered() {
			return unreachable(s.reader.Host(), again)
		}
	}
	why, how := explain([]outcome{{err: err}})
	s.builder.Gap("the API server's version", why, how)
	return nil
}

// UnreachableError is the only failure that ends the reading of a cluster: the API server did not respond.
type UnreachableError struct {
	Host    string
	Message string // what failed
	Check   string // what to check
	Err     error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the API server at %s cannot be reached: %s; %s", e.Host, e.Message, e.Check)
}

func (e *UnreachableError) Unwrap() error { return e.Err }

func unreachable(host string, err error) error {
	out := &UnreachableError{Host: host, Message: err.Error(), Err: err}
	var e *kube.Error
	if errors.As(err, &e) {
		out.Message = e.Message
		if e.Reason == kube.Timeout {
			out.Message = fmt.Sprintf("no answer within %s", contactTimeout)
		}
	}
	has := func(text string) bool { return strings.Contains(out.Message, text) }
	switch {
	case has("x509"), has("tls:"), has("certificate"):
		out.Check = "the kubeconfig does not fit this server: fetch it again, or check the address (kubectl config view --minify)"
	case has("no such host"):
		out.Check = "the name does not resolve from here: a private cluster needs its VPN or DNS zone, a deleted one its kubeconfig entry removed"
	case has("no answer"), has("i/o timeout"):
		out.Check = "a firewall, authorized address ranges or a missing VPN may drop the packets: check them, and the address (kubectl config view --minify)"
	default:
		out.Check = "check the address (kubectl config view --minify), the VPN or proxy it needs, and that the cluster is running"
	}
	return out
}

// serviceOf returns the managed service that set labels on the nodes; "" if there is none.
func serviceOf(nodes []*evidence.Node) string {
	for _, n := range nodes {
		if service := clouds.OfLabels(n.Labels).Service; service != "" {
			return service
		}
	}
	return ""
}
