package predict

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// managerFlags are the flags of kube-controller-manager that affect a forecast.
type managerFlags struct {
	monitorPeriod, monitorGrace time.Duration // no grace period: the default of the version
	rate, slowRate              float64       // nodes tainted per second and zone
	largeZone                   int           // nodes
	unhealthyZone               float64       // share of nodes
	qps                         float64       // requests of one controller
	burst                       int
	leaseDuration, retryPeriod  time.Duration // of the leader
	keepsMounted                bool          // volumes are never force-detached
}

// Defaults (kubernetes v1.36.3: cmd/kube-controller-manager/app/options/nodelifecyclecontroller.go,
// pkg/controller/apis/config/v1alpha1/defaults.go, k8s.io/cloud-provider/config/v1alpha1, k8s.io/component-base/config).
var managerDefaults = managerFlags{
	monitorPeriod: 5 * time.Second, rate: 0.1, slowRate: 0.01, largeZone: 50, unhealthyZone: 0.55,
	qps: 20, burst: 30, leaseDuration: 15 * time.Second, retryPeriod: 2 * time.Second,
}

// newManagerFlags parses flags by name, without dashes.
func newManagerFlags(flags map[string]string) (managerFlags, error) {
	m := managerDefaults
	known := map[string]any{
		"node-monitor-period": &m.monitorPeriod, "node-monitor-grace-period": &m.monitorGrace,
		"node-eviction-rate": &m.rate, "secondary-node-eviction-rate": &m.slowRate,
		"large-cluster-size-threshold": &m.largeZone, "unhealthy-zone-threshold": &m.unhealthyZone,
		"kube-api-qps": &m.qps, "kube-api-burst": &m.burst,
		"leader-elect-lease-duration": &m.leaseDuration, "leader-elect-retry-period": &m.retryPeriod,
		"disable-force-detach-on-timeout": &m.keepsMounted,
	}
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		var err error
		switch to := known[name].(type) {
		case *time.Duration:
			*to, err = time.ParseDuration(flags[name])
		case *float64:
			*to, err = strconv.ParseFloat(flags[name], 64)
		case *int:
			*to, err = strconv.Atoi(flags[name])
		case *bool:
			*to, err = strconv.ParseBool(flags[name])
		default:
			return m, fmt.Errorf("flag --%s of kube-controller-manager does not affect the forecast; supported: %s", name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		if err != nil {
			return m, fmt.Errorf("invalid value of --%s=%s of kube-controller-manager", name, flags[name])
		}
	}
	periods := m.monitorPeriod > 0 && m.monitorGrace >= 0
	rates := m.rate >= 0 && m.slowRate >= 0
	requests := m.qps > 0 && m.burst >= 1
	if !periods || !rates || !requests {
		return m, fmt.Errorf("invalid flags of kube-controller-manager: periods, requests and bursts must be greater than 0, rates not negative")
	}
	return m, nil
}

// turnPeriod returns the time between two nodes of a zone at that rate; never: no node is tainted.
func turnPeriod(rate float64) time.Duration {
	if rate == 0 {
		return never
	}
	return time.Duration(float64(time.Second)/rate) + slotDrift
}

// inTurn returns how long the n-th item waits if each item takes a number of requests.
func (m *managerFlags) inTurn(n, requests int) time.Duration {
	free := m.burst / requests
	return time.Duration(float64(max(n-free, 0)*requests) / m.qps * float64(time.Second))
}
