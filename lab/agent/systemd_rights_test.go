//go:build linux

package agent_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// An attacker who controls the pod of the agent on a node with systemd can do exactly what SECURITY.md lists.
func TestCapabilitiesBesideSystemd(t *testing.T) {
	w := newSystemd(t)
	w.shell(t, "mount --make-rshared /") // systemd does this at boot, but not in a container as here
	ns, set := manifest(t)
	if _, err := w.client.CoreV1().Namespaces().Create(t.Context(), ns, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	w.intrude(t, ns.Name, set.Spec.Template.Spec, allColumns[0])
}
