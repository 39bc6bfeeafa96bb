//go:build unix

package lab

import (
	"context"
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// NodesReadMetrics grants nodes read access to kubelet metrics, which programs on the node need to read those of their
// kubelet.
func (c *ControlPlane) NodesReadMetrics(ctx context.Context) error {
	client, err := c.Client()
	if err != nil {
		return err
	}
	const name = "nodes-read-metrics"
	meta := metav1.ObjectMeta{Name: name}
	role := &rbacv1.ClusterRole{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"nodes/metrics"}, Verbs: []string{"get"}}}}
	bound := &rbacv1.ClusterRoleBinding{
		ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.GroupKind, APIGroup: rbacv1.GroupName, Name: "system:nodes"}},
	}
	_, err = client.RbacV1().ClusterRoles().Create(ctx, role, metav1.CreateOptions{})
	if err == nil {
		_, err = client.RbacV1().ClusterRoleBindings().Create(ctx, bound, metav1.CreateOptions{})
	}
	if err != nil {
		return fmt.Errorf("let nodes read the metrics of kubelets: %w", err)
	}
	return nil
}
