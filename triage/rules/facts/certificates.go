package facts

import (
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/logline"
	"github.com/nodetriage/nodetriage/triage"
)

// SaidByCertificate returns the cause for an expired certificate, or "" if it stops nothing here.
func SaidByCertificate(c nodereport.Certificate) string {
	text := strings.ToLower(c.Path + " " + c.Subject)
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(text, part) {
				return true
			}
		}
		return false
	}
	switch {
	case has("apiserver", "etcd", "controller-manager", "scheduler.conf", "front-proxy", "kube-apiserver"), c.Use == "ca":
		return "control-plane-degraded"
	case c.Use == "kubelet-client", has("kubelet-client", "kubelet.conf", "system:node:"):
		return "kubelet-client-cert-expired"
	}
	return ""
}

// mostAfter is how long after a certificate expires a refusal still counts as its effect.
const mostAfter = 60 * 24 * time.Hour

// RefusedAfter finds a line of the node in which the API server refuses the kubelet soon after the certificate expired, and its
// time. A line without a year is dated to the months after the expiry.
func RefusedAfter(p *triage.Pass, subject evidence.Subject, c nodereport.Certificate) (*evidence.Match, time.Time) {
	if c.NotAfter.IsZero() {
		return nil, time.Time{}
	}
	for _, m := range p.Snapshot.Matches() {
		if sig := p.Signatures.Lookup(m.Signature); sig == nil || sig.Says != "kubelet-auth-rejected" || !SameNode(p.Snapshot, m.Subject, subject) {
			continue
		}
		if !m.First.IsZero() && m.First.Before(c.NotAfter) { // it was already refused before for another reason
			continue
		}
		when := m.Last
		if when.IsZero() { // its year is unknown
			when = logline.ReadOrigin(m.Ref.Text, c.NotAfter.Add(mostAfter)).Time
		}
		if gap := when.Sub(c.NotAfter); !when.IsZero() && gap >= 0 && gap <= mostAfter {
			return m, when
		}
	}
	return nil, time.Time{}
}
