package mechanics_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/mechanics"
)

// The certificates of a node are those of its report, and those of the metrics of its kubelet: the remaining time of a new one,
// the end of an old one. +Inf is no certificate.
func TestCertificates(t *testing.T) {
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	s := evidence.New(evidence.Data{TakenAt: at, Kubelets: []*evidence.Kubelet{{Node: "a", TakenAt: at, Metrics: map[string]string{
		"kubelet_certificate_manager_client_ttl_seconds": "3600", "kubelet_certificate_manager_server_ttl_seconds": "+Inf",
	}}, {Node: "b", Metrics: map[string]string{"kubelet_certificate_manager_client_expiration_seconds": "1795258800"}}},
		NodeReports: []*nodereport.Report{{Node: "a", Certificates: []nodereport.Certificate{
			{Path: "/p", Use: "ca", NotBefore: at.Add(-24 * time.Hour), NotAfter: at.Add(48 * time.Hour)}, {Path: "/undated"},
		}}},
	})
	a := mechanics.Certificates(s, "a")
	if len(a) != 2 || !a[0].Until.Equal(at.Add(time.Hour)) || a[1].Name != "ca /p" || a[1].Soon() != 12*time.Hour || a[0].Soon() != 24*time.Hour {
		t.Errorf("%+v", a)
	}
	if b := mechanics.Certificates(s, "b"); len(b) != 1 || b[0].Until.Unix() != 1795258800 {
		t.Errorf("%+v", b)
	}
	if c := mechanics.Certificates(s, "c"); len(c) != 0 {
		t.Errorf("%+v", c)
	}
}

// A certificate valid for days is reported when hours remain, one valid for years when weeks remain.
func TestSoon(t *testing.T) {
	day := 24 * time.Hour
	for life, want := range map[time.Duration]time.Duration{0: day, day: 4 * time.Hour, 365 * day: 30 * day, 90 * day: 15 * day} {
		if got := (mechanics.Certificate{Life: life}).Soon(); got != want {
			t.Errorf("Soon of %s is %s, want %s", life, got, want)
		}
	}
}
