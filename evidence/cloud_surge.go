package evidence

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Surge is how many machines an upgrade of the pool adds for its time (upgradeSettings.maxSurge, by default 10%, rounded
// up); 0: not known, or none.
func Surge(pool *CloudResource) int {
	nodes, err := strconv.Atoi(pool.Properties["count"])
	if err != nil || nodes <= 0 {
		return 0
	}
	setting := pool.Properties["maxSurge"]
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

// SurgeAddresses is what those machines take of the pool's subnet: an address each, and with the plugin that gives pods
// addresses of the same subnet as many more as pods may run there. The cluster may be nil.
func SurgeAddresses(pool, cluster *CloudResource) int {
	surge := Surge(pool)
	if cluster == nil {
		return surge
	}
	network := cluster.Properties
	if network["networkPlugin"] != "azure" || network["networkPluginMode"] == "overlay" || pool.Properties["podSubnetID"] != "" {
		return surge
	}
	pods, err := strconv.Atoi(pool.Properties["maxPods"])
	if err != nil || pods <= 0 {
		return surge
	}
	return surge * (1 + pods)
}

// Restricted says what keeps the pool from machines of the size that r is; "" if nothing does.
func (r *CloudResource) Restricted(pool *CloudResource) string {
	if why := r.Properties["restricted"]; why != "" {
		return "restricted in the region: " + why
	}
	var lost []string
	for zone := range strings.SplitSeq(pool.Properties["zones"], ",") {
		if zone != "" && slices.Contains(strings.Split(r.Properties["restrictedZones"], ","), zone) {
			lost = append(lost, zone)
		}
	}
	if len(lost) > 0 {
		return "restricted in zone " + strings.Join(lost, ", ") + ": " + r.Properties["restriction"]
	}
	return ""
}
