package evidence

import "testing"

func TestSurge(t *testing.T) {
	cluster := &CloudCluster{PodsInSubnet: true}
	six, thirty := CountOf(6), CountOf(30)
	for _, c := range []struct {
		count            CloudCount
		surge            string
		maxPods          CloudCount
		nodes, addresses int
	}{
		{six, "", thirty, 1, 31}, {thirty, "33%", thirty, 10, 310}, {six, "2", CloudCount{}, 2, 2}, {six, "0", thirty, 0, 0}, {CloudCount{}, "2", thirty, 0, 0}, {six, "-1", thirty, 0, 0}, {six, "1000%", thirty, 0, 0},
	} {
		pool := &CloudPool{Count: c.count, MaxSurge: c.surge, MaxPods: c.maxPods}
		if n, a := pool.Surge(), pool.SurgeAddresses(cluster); n != c.nodes || a != c.addresses {
			t.Errorf("%v nodes by %s: %d machines, %d addresses", c.count, c.surge, n, a)
		}
	}
}
