//go:build unix

package lab

import (
	"context"
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// writeKubeconfig writes the kubeconfig of a user with an issued certificate.
func (c *ControlPlane) writeKubeconfig(user string) (string, error) {
	return c.writeConfig(user, c.server, user)
}

func (c *ControlPlane) writeConfig(name, server, user string) (string, error) {
	config := clientcmdapi.NewConfig()
	config.Clusters["lab"] = &clientcmdapi.Cluster{Server: server, CertificateAuthority: c.pki.path("ca", "crt")}
	config.AuthInfos[user] = &clientcmdapi.AuthInfo{ClientCertificate: c.pki.path(user, "crt"), ClientKey: c.pki.path(user, "key")}
	config.Contexts["lab"] = &clientcmdapi.Context{Cluster: "lab", AuthInfo: user}
	config.CurrentContext = "lab"
	path := c.pki.path(name, "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return "", fmt.Errorf("write kubeconfig of %s: %w", name, err)
	}
	return path, nil
}

// User creates a user with exactly these cluster-wide permissions and returns its kubeconfig.
func (c *ControlPlane) User(ctx context.Context, name string, rules ...rbacv1.PolicyRule) (string, error) {
	if err := c.pki.issue(name, name); err != nil {
		return "", err
	}
	client, err := c.Client()
	if err != nil {
		return "", err
	}
	meta := metav1.ObjectMeta{Name: "lab-" + name}
	if _, err := client.RbacV1().ClusterRoles().Create(ctx, &rbacv1.ClusterRole{ObjectMeta: meta, Rules: rules}, metav1.CreateOptions{}); err != nil {
		return "", fmt.Errorf("make role of user %s: %w", name, err)
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: meta.Name},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: name}},
	}
	if _, err := client.RbacV1().ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{}); err != nil {
		return "", fmt.Errorf("bind role of user %s: %w", name, err)
	}
	return c.writeKubeconfig(name)
}

// Behind returns a kubeconfig of the administrator for another address, for example of a proxy.
func (c *ControlPlane) Behind(name, server string) (string, error) {
	return c.writeConfig(name, server, "admin")
}
