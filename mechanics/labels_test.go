package mechanics

import "testing"

func TestKeptLabels(t *testing.T) {
	for key, kept := range map[string]bool{
		"agentpool": true, "kubernetes.azure.com/agentpool": true, "kubernetes.azure.com/mode": true, "eks.amazonaws.com/nodegroup": true, "cloud.google.com/gke-nodepool": true, "karpenter.sh/nodepool": true,
		"kubernetes.io/os": true, "kubernetes.io/hostname": true, "topology.kubernetes.io/zone": true, "node.kubernetes.io/instance-type": true,
		"workload": false, "agentpool2": false, "team.example.com/agentpool": false, "node-role.kubernetes.io/worker": false, "node-restriction.kubernetes.io/team": false,
	} {
		if KeptLabel(key) != kept {
			t.Errorf("%s: %v", key, !kept)
		}
	}
}
