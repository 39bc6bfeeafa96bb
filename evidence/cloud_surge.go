package evidence

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Surge is how many machines an upgrade of the pool adds for its time (by default 10%, rounded up); 0: not known, or none.
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

// SurgeAddresses is what those machines take of the pool's subnet: an address each, and where pods have addresses of the same
// subnet as many more as pods may run there. The cluster may be nil.
func (r *CloudPool) SurgeAddresses(cluster *CloudCluster) int {
	surge := r.Surge()
	if cluster == nil || !cluster.PodsInSubnet || r.PodSubnet != "" || r.MaxPods.Value <= 0 {
		return surge
	}
	return surge * (1 + r.MaxPods.Value)
}

// Restricted says what keeps the pool from machines of that size; "" if nothing does.
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

// RestrictedZones are zones in which the account cannot have machines of that size, where nothing tells the zones of the pool: it
// may be in them. A whole document of the pool that names none tells that it has none.
func (r *CloudSize) RestrictedZones(pool *CloudPool) []string {
	if len(pool.Zones) > 0 || pool.ID != "" && pool.Size != "" || r.Refused != "" {
		return nil
	}
	return r.RefusedZones
}
