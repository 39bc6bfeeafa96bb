//go:build unix

package controller_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

const vetoRecord = "nodetriage.dev/veto"

var (
	healthChecks  = schema.GroupVersionResource{Group: "remediation.medik8s.io", Version: "v1alpha1", Resource: "nodehealthchecks"}
	machineChecks = schema.GroupVersionResource{Group: "cluster.x-k8s.io", Version: "v1beta1", Resource: "machinehealthchecks"}
)

// grant gives the user of the controller the cluster role of an option of deploy.
func (w *world) grant(t *testing.T, option string) {
	t.Helper()
	text, err := os.ReadFile("../../deploy/options/" + option + "/role.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var role rbacv1.ClusterRole
	if err := yaml.Unmarshal([]byte(strings.Split(string(text), "\n---\n")[0]), &role); err != nil || len(role.Rules) == 0 {
		t.Fatalf("%v\n%s", err, text)
	}
	if _, err := w.client.RbacV1().ClusterRoles().Create(t.Context(), &role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	_, err = w.client.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.Name}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "controller"}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// serve makes the API server serve a kind whose objects may have any fields, with one object.
func (w *world) serve(t *testing.T, resource schema.GroupVersionResource, kind, scope string) {
	t.Helper()
	text := fmt.Sprintf(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
		"metadata":{"name":"%[1]s.%[2]s","annotations":{"api-approved.kubernetes.io":"unapproved, a test"}},
		"spec":{"group":"%[2]s","scope":"%[5]s","names":{"plural":"%[1]s","kind":"%[4]s"},"versions":[{"name":"%[3]s","served":true,"storage":true,
		"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}`, resource.Resource, resource.Group, resource.Version, kind, scope)
	var crd unstructured.Unstructured
	if err := crd.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.dynamic.Resource(definitions).Create(t.Context(), &crd, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(resource.GroupVersion().WithKind(kind))
	o.SetName("workers")
	namespace := ""
	if scope == "Namespaced" {
		namespace = metav1.NamespaceDefault
	}
	w.until(t, time.Minute, kind+" is served", func() bool {
		_, err := w.dynamic.Resource(resource).Namespace(namespace).Create(t.Context(), o, metav1.CreateOptions{})
		return err == nil
	})
}

// marked returns the nodes with a record of the veto.
func (w *world) marked(t *testing.T) (out []string) {
	t.Helper()
	list, err := w.client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{ResourceVersion: "0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range list.Items {
		if n.Annotations[vetoRecord] != "" {
			out = append(out, n.Name)
		}
	}
	slices.Sort(out)
	return out
}

// pauses returns how the health checks are paused.
func (w *world) pauses(t *testing.T) string {
	t.Helper()
	node, err := w.dynamic.Resource(healthChecks).Get(t.Context(), "workers", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	machine, err := w.dynamic.Resource(machineChecks).Namespace(metav1.NamespaceDefault).Get(t.Context(), "workers", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	requests, _, _ := unstructured.NestedStringSlice(node.Object, "spec", "pauseRequests")
	return fmt.Sprint(len(requests), slices.Sorted(maps.Keys(machine.GetAnnotations())))
}

// Nodes that fail together are marked and health checks paused, with exactly the role of the veto, also by the next leader. The marks go with
// the fault.
func TestVeto(t *testing.T) {
	w := newWorld(t)
	w.serve(t, healthChecks, "NodeHealthCheck", "Cluster")
	w.serve(t, machineChecks, "MachineHealthCheck", "Namespaced")
	kubeconfig := w.user(t)
	w.grant(t, "veto")
	r := run(t, kubeconfig, "--veto")
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(r.log)
		}
	})
	w.until(t, time.Minute, "a leader", func() bool { return w.leader(t).HolderIdentity != nil })
	w.sick(t, size.Node(0), true)
	w.until(t, time.Minute, "the first is published", func() bool { return w.of(t, size.Node(0)).Primary.Cause != "" })
	time.Sleep(3 * time.Second)
	if got := w.marked(t); len(got) > 0 || w.pauses(t) != "0 []" {
		t.Errorf("one node is sick: marked are %q, pauses %s", got, w.pauses(t))
	}
	var sick []string
	for i := range size.Nodes {
		sick = append(sick, size.Node(i))
		w.sick(t, size.Node(i), true)
	}
	slices.Sort(sick)
	w.until(t, time.Minute, "all are marked", func() bool { return slices.Equal(w.marked(t), sick) })
	if got := w.pauses(t); got != "1 [cluster.x-k8s.io/paused nodetriage.dev/veto]" {
		t.Errorf("pauses: %s", got)
	}
	r.kill()
	r = run(t, kubeconfig, "--veto")
	for _, node := range sick {
		w.sick(t, node, false)
	}
	w.until(t, time.Minute, "no node is marked", func() bool { return len(w.marked(t)) == 0 })
	w.until(t, time.Minute, "nothing is paused", func() bool { return w.pauses(t) == "0 []" })
	n, err := w.client.CoreV1().Nodes().Get(t.Context(), sick[0], metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range n.Annotations {
		if strings.Contains(k, "do-not-disrupt") || strings.Contains(k, "scale-down") {
			t.Errorf("left behind: %s", k)
		}
	}
	w.requests(t) // none is forbidden
}
