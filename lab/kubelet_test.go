//go:build unix

package lab_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A simulated kubelet answers through the real node proxy. Its data and its log become evidence about the node.
func TestKubeletThroughTheProxy(t *testing.T) {
	address, ok := ownAddress()
	if !ok {
		address = "127.0.0.1" // the proxy of the API server rejects it
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(standIn))
	server.Listener = listener
	server.StartTLS()
	defer server.Close()

	client, err := plane.Client()
	if err != nil {
		t.Fatal(err)
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "with-kubelet"}, Status: corev1.NodeStatus{
		Addresses:       []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: address}},
		DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: int32(listener.Addr().(*net.TCPAddr).Port)}},
		Conditions:      []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady"}},
		NodeInfo:        corev1.NodeSystemInfo{ContainerRuntimeVersion: "containerd://2.1.4"},
	}}
	if _, err := client.CoreV1().Nodes().Create(t.Context(), node, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.CoreV1().Nodes().Delete(cleanUp(), node.Name, metav1.DeleteOptions{}) })

	r := answered(func() result { return diagnose(t, plane.Kubeconfig, node.Name) })
	if !ok {
		if !strings.Contains(r.gap("kubelet of node/with-kubelet"), "address not allowed") {
			t.Errorf("want the proxy's refusal, got %s", r)
		}
		return
	}
	for _, f := range r.Findings {
		if f.Cause == "sandbox-image-unavailable" && f.Subject.Name == node.Name {
			return
		}
	}
	t.Errorf("the line in the kubelet's log was not found: %s", r)
}

const logLine = `E1121 01:02:03.000000    1234 remote_runtime.go:237] "RunPodSandbox from runtime service failed" err="rpc error: code = Unknown desc = failed to get sandbox image \"registry.example.com/pause:3.10\": failed to pull image: dial tcp: i/o timeout"`

func standIn(w http.ResponseWriter, r *http.Request) {
	files := map[string]string{"/metrics": "metrics.txt", "/configz": "configz.json", "/stats/summary": "summary.json"}
	switch {
	case r.URL.Path == "/healthz":
		fmt.Fprint(w, "ok")
	case r.URL.Path == "/logs/" && r.URL.Query().Get("query") == "kubelet":
		fmt.Fprintln(w, logLine)
	case files[r.URL.Path] != "":
		text, err := os.ReadFile(filepath.Join("..", "collect", "kubelets", "testdata", files[r.URL.Path]))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Write(text)
	}
}

// ownAddress returns an address of this machine that is not a loopback address.
func ownAddress() (string, bool) {
	list, _ := net.InterfaceAddrs()
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && n.IP.To4() != nil {
			return n.IP.String(), true
		}
	}
	return "", false
}
