package upgradegate

import (
	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Metrics are the metrics of the gate.
type Metrics struct {
	published *prometheus.CounterVec
	late      prometheus.Gauge
}

// NewMetrics returns metrics that are part of the registry.
func NewMetrics(to prometheus.Registerer) (*Metrics, error) {
	m := &Metrics{
		published: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "nodetriage_health_signals_total", Help: "Verdicts written to HealthSignals, by status (True, False, Unknown) and reason.",
		}, []string{"result", "reason"}),
		late: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "nodetriage_health_check_requests_late", Help: "HealthCheckRequests without a signal of nodetriage after half of their time. At its end, the upgrade stops.",
		}),
	}
	for _, c := range []prometheus.Collector{m.published, m.late} {
		if err := to.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Published counts a written verdict.
func (m *Metrics) Published(status metav1.ConditionStatus, reason string) {
	m.published.WithLabelValues(string(status), reason).Inc()
}

// Late sets the number of requests without a signal.
func (m *Metrics) Late(requests int) { m.late.Set(float64(requests)) }
