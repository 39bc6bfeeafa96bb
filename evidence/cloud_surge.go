package evidence

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Surge returns how many machines an upgrade of the pool adds temporarily (by default 10%, rounded up); 0: unknown, or
// none.
func (r *CloudPool) Surge() int {
	nodes := r.Count.Value
	if !r.Count.Known || nodes <= 0 {
		return 0
	}
	setting := r.MaxSurge
	if setting == "" {
		setting = "10%"
	}
	if share, percent := strings.CutSuffix(setting, "%"); percent {
		f, err := strconv.ParseFloat(share, 64)
		if err != nil || f < 0 || f > 100 {
			return 0
		}
		return int(math.Ceil(float64(nodes) * f / 100))
	}
	n, err := strconv.Atoi(setting)
	if err != nil || n < 0 || n > 1000 {
		return 0
	}
	return n
}

// SurgeAddresses returns the subnet addresses that these machines need: one each, plus maxPods if pods use the same
// subnet. cluster may be nil.
func (r *CloudPool) SurgeAddresses(cluster *CloudCluster) int {
	surge := r.Surge()
	if cluster == nil || !cluster.PodsInSubnet || r.PodSubnet != "" || r.MaxPods.Value <= 0 {
		return surge
	}
	return surge * (1 + r.MaxPods.Value)
}

// Restricted returns why the pool cannot have machines of that size, or "".
func (r *CloudSize) Restricted(pool *CloudPool) string {
	if r.Refused != "" {
		return "restricted in the region: " + r.Refused
	}
	var lost []string
	for _, zone := range pool.Zones {
		if slices.Contains(r.RefusedZones, zone) {
			lost = append(lost, zone)
		}
	}
	if len(lost) > 0 {
		return "restricted in zone " + strings.Join(lost, ", ") + ": " + r.RefusedZonesWhy
	}
	return ""
}

// RestrictedZones returns zones with a restriction for that size, if the zones of the pool are unknown. A complete pool
// document without zones means that it has none.
func (r *CloudSize) RestrictedZones(pool *CloudPool) []string {
	if len(pool.Zones) > 0 || pool.ID != "" && pool.Size != "" || r.Refused != "" {
		return nil
	}
	return r.RefusedZones
}
