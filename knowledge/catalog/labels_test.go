package catalog

import "testing"

func TestLabels(t *testing.T) {
	list, err := labelMeanings()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range list {
		if m.Key == "" || m.Says == "" || seen[m.Key] {
			t.Errorf("label %q says %q, or stands twice", m.Key, m.Says)
		}
		seen[m.Key] = true
	}
	for key, want := range map[string]string{
		"kubernetes.azure.com/agentpool":        "its node pool",                              // its own words
		"kubernetes.azure.com/something-new":    "set by AKS; changes by hand are taken back", // by its prefix
		"topology.disk.csi.azure.com/zone":      "where the disk driver can attach its volumes",
		"node-role.kubernetes.io/control-plane": "its role in kubectl get nodes; nothing acts on it by itself",
		"team":                                  "",
		"kubernetes.io/hostname.something":      "",
	} {
		if got := LabelSays(key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}
