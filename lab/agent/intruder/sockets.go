//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/godbus/dbus/v5"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	cri "k8s.io/cri-api/pkg/apis/runtime/v1"
)

func sockets() []attempt {
	return []attempt{
		{"runtime-privileged-pod", privilegedPod},
		{"systemd-start-unit", startUnit},
		{"ask-kubelet", askKubelet},
		{"act-as-node", actAsNode},
	}
}

// limit is the timeout of one call.
const limit = 10 * time.Second

// privilegedPod makes the runtime start a privileged pod, and removes it.
func privilegedPod() error {
	ctx, cancel := context.WithTimeout(context.Background(), 3*limit)
	defer cancel()
	conn, err := grpc.NewClient("unix://"+host+"/run/containerd/containerd.sock", grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer conn.Close()
	runtime := cri.NewRuntimeServiceClient(conn)
	node := &cri.NamespaceOption{Network: cri.NamespaceMode_NODE, Pid: cri.NamespaceMode_NODE, Ipc: cri.NamespaceMode_NODE}
	parent := "/intruder"
	if _, err := os.Stat("/host/run/systemd/system"); err == nil { // with systemd, runtimes accept only names of slices
		parent = "system.slice"
	}
	got, err := runtime.RunPodSandbox(ctx, &cri.RunPodSandboxRequest{Config: &cri.PodSandboxConfig{
		Metadata: &cri.PodSandboxMetadata{Name: "intruder", Uid: fmt.Sprint(os.Getpid(), time.Now().UnixNano()), Namespace: "default"},
		Linux:    &cri.LinuxPodSandboxConfig{CgroupParent: parent, SecurityContext: &cri.LinuxSandboxSecurityContext{Privileged: true, NamespaceOptions: node}},
	}})
	if err != nil {
		return err
	}
	_, err = runtime.StopPodSandbox(ctx, &cri.StopPodSandboxRequest{PodSandboxId: got.PodSandboxId})
	_, last := runtime.RemovePodSandbox(ctx, &cri.RemovePodSandboxRequest{PodSandboxId: got.PodSandboxId})
	return errors.Join(err, last)
}

// startUnit makes systemd run a program as root.
func startUnit() error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	conn, err := dbus.Dial("unix:path="+host+"/run/dbus/system_bus_socket", dbus.WithContext(ctx))
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := errors.Join(conn.Auth(nil), conn.Hello()); err != nil {
		return err
	}
	type property struct {
		Name  string
		Value dbus.Variant
	}
	type command struct {
		Path   string
		Args   []string
		Ignore bool
	}
	type further struct {
		Name       string
		Properties []property
	}
	run := []property{
		{"Description", dbus.MakeVariant("tried by the lab")},
		{"ExecStart", dbus.MakeVariant([]command{{"/bin/true", []string{"/bin/true"}, false}})},
	}
	name := fmt.Sprintf("intruder-%d.service", time.Now().UnixNano())
	manager := conn.Object("org.freedesktop.systemd1", "/org/freedesktop/systemd1")
	return manager.CallWithContext(ctx, "org.freedesktop.systemd1.Manager.StartTransientUnit", 0, name, "replace", run, []further{}).Err
}

// askKubelet connects to the kubelet port that answers without authentication on the node.
func askKubelet() error {
	client := http.Client{Timeout: limit}
	resp, err := client.Get("http://127.0.0.1:10248/healthz")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// actAsNode reads the Node object with the credentials of the kubelet.
func actAsNode() error {
	err := errors.New("there is no kubeconfig")
	for _, name := range []string{"/var/lib/kubelet/kubeconfig", "/etc/kubernetes/kubelet.conf"} {
		if _, missing := os.Stat(host + name); missing != nil {
			continue
		}
		err = actAs(host + name)
		if err == nil {
			return nil
		}
	}
	return err
}

func actAs(kubeconfig string) error {
	config, err := clientcmd.LoadFromFile(kubeconfig)
	if err != nil {
		return err
	}
	for _, c := range config.Clusters { // its paths are relative to the root of the node
		c.CertificateAuthority = below(c.CertificateAuthority)
	}
	for _, u := range config.AuthInfos {
		u.ClientCertificate, u.ClientKey = below(u.ClientCertificate), below(u.ClientKey)
	}
	rest, err := clientcmd.NewDefaultClientConfig(*config, nil).ClientConfig()
	if err != nil {
		return err
	}
	rest.Timeout = limit
	client, err := kubernetes.NewForConfig(rest)
	if err != nil {
		return err
	}
	_, err = client.CoreV1().Nodes().Get(context.Background(), os.Getenv("NODE_NAME"), metav1.GetOptions{})
	return err
}

func below(path string) string {
	if path == "" {
		return ""
	}
	return host + path
}
