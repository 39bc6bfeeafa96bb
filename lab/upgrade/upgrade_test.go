//go:build unix

package upgrade_test

import (
	"testing"
	"time"
)

// Clusters with a known result.
func TestReplacement(t *testing.T) {
	t.Parallel()
	web := app{Kind: "Deployment", Replicas: 4, CPU: "1", Grace: 2, Budget: atMost(1)}
	db := app{Kind: "StatefulSet", Replicas: 2, CPU: "1", Grace: 2, Budget: atMost(1)}
	single := app{Kind: "Deployment", Replicas: 1, CPU: "1", Grace: 1, Budget: atLeast(1)}
	full := app{Kind: "Deployment", Replicas: 12, CPU: "1", Grace: 2}
	held := full
	held.Budget = atMost(2)
	for _, x := range []struct {
		name    string
		cluster cluster
		set     settings
		verdict string
	}{
		{"clear", cluster{3, []app{web, db}, 0, true}, settings{"plain", 1, 0, 0, ""}, "clear"},
		{"clear-two", cluster{4, []app{web, db}, 0, true}, settings{"plain", 2, 0, 0, ""}, "clear"},
		{"clear-in-place", cluster{3, []app{web}, 0, true}, settings{"aks", 1, 0, 30 * time.Second, "stop"}, "clear"},
		{"pdb", cluster{3, []app{web, single}, 0, false}, settings{"plain", 1, 0, 0, ""}, "blocked"},
		{"pdb-stop", cluster{3, []app{web, single}, 0, false}, settings{"aks", 1, 0, 20 * time.Second, "stop"}, "blocked"},
		{"pdb-quarantine", cluster{3, []app{web, single}, 0, false}, settings{"aks", 2, 0, 20 * time.Second, "quarantine"}, "blocked"},
		{"pdb-force", cluster{3, []app{web, single}, 0, false}, settings{"gke", 1, 0, 20 * time.Second, "force"}, "harmful"},
		{"no-headroom", cluster{3, []app{full}, 0, false}, settings{"plain", 0, 1, 0, ""}, "slow"},
		{"no-headroom-held", cluster{3, []app{held}, 0, false}, settings{"plain", 0, 1, 0, ""}, "blocked"},
		{"full-with-surge", cluster{3, []app{held}, 0, false}, settings{"aks", 1, 0, 60 * time.Second, "stop"}, "clear"},
		{"naked", cluster{3, []app{web}, 2, false}, settings{"gke", 1, 1, 60 * time.Second, "force"}, "harmful"},
		{"eks", cluster{3, []app{web, db}, 0, true}, settings{"eks", 2, 2, 90 * time.Second, "stop"}, "clear"},
		{"eks-stop", cluster{3, []app{web, single}, 0, false}, settings{"eks", 2, 1, 20 * time.Second, "stop"}, "blocked"},
		{"eks-force", cluster{3, []app{web, single}, 0, false}, settings{"eks", 2, 1, 20 * time.Second, "force"}, "harmful"},
		{"blue-green", cluster{3, []app{held}, 0, true}, settings{"gke-blue-green", 3, 1, 90 * time.Second, "force"}, "clear"},
		{"blue-green-batch", cluster{4, []app{web, db}, 1, false}, settings{"gke-blue-green", 4, 2, 90 * time.Second, "force"}, "harmful"},
		{"blue-green-force", cluster{3, []app{web, single}, 0, false}, settings{"gke-blue-green", 3, 1, 20 * time.Second, "force"}, "harmful"},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			if p := play(t, x.cluster, x.set); p.Verdict != x.verdict {
				t.Errorf("the plan says %s, want %s", p.Verdict, x.verdict)
			}
		})
	}
}
