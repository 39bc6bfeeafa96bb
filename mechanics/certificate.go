package mechanics

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
)

// Certificate is a certificate of a node or of its kubelet.
type Certificate struct {
	Name  string        `json:"name"`
	Until time.Time     `json:"until"`
	Life  time.Duration `json:"-"` // 0: unknown
}

// Soon returns the remaining lifetime below which its end is near. Certificates with a lifetime of days are renewed late. If the
// lifetime is unknown, it is a day.
func (c Certificate) Soon() time.Duration {
	if c.Life <= 0 {
		return 24 * time.Hour
	}
	return min(c.Life/6, 30*24*time.Hour)
}

// century is more than the remaining lifetime of any certificate, in seconds. A kubelet without one reports +Inf.
const century = 100 * 365 * 24 * 3600

// Certificates returns the certificates that a node and its kubelet report, the first to expire first.
func Certificates(s *evidence.Snapshot, node string) []Certificate {
	var out []Certificate
	for _, r := range s.Reports(node) {
		for _, c := range r.Certificates {
			if !c.NotBefore.IsZero() && !c.NotAfter.IsZero() {
				out = append(out, Certificate{strings.TrimSpace(c.Use + " " + c.Path), c.NotAfter.UTC(), c.NotAfter.Sub(c.NotBefore)})
			}
		}
	}
	if k := s.Kubelet(node); k != nil {
		at := k.TakenAt
		if at.IsZero() {
			at = s.TakenAt()
		}
		for _, of := range []string{"client", "server"} {
			if left, ok := seconds(k, "kubelet_certificate_manager_"+of+"_ttl_seconds"); ok && !at.IsZero() && left > -century {
				out = append(out, Certificate{Name: "the kubelet's " + of + " certificate", Until: at.Add(time.Duration(left) * time.Second).UTC()})
			}
		}
		if end, ok := seconds(k, "kubelet_certificate_manager_client_expiration_seconds"); ok && end > 0 { // old kubelets
			out = append(out, Certificate{Name: "the kubelet's client certificate", Until: time.Unix(int64(end), 0).UTC()})
		}
	}
	slices.SortStableFunc(out, func(a, b Certificate) int { return a.Until.Compare(b.Until) })
	return out
}

// seconds returns a metric of the kubelet that is a time or a duration of this century.
func seconds(k *evidence.Kubelet, series string) (float64, bool) {
	v, err := strconv.ParseFloat(k.Metrics[series], 64)
	return v, err == nil && v < century
}
