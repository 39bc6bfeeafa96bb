//go:build unix

package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
)

// kubelets answers for nodes without machines. The API server rejects loopback addresses of nodes (kubernetes
// pkg/registry/core/node/strategy.go, 1.36.3). Therefore it connects through a socket, where every address belongs to a
// simulated kubelet or does not answer.
type kubelets struct {
	dir    string
	way    *http.Server
	mu     sync.Mutex
	served map[string]*httptest.Server // by node address
	alive  map[string]bool
}

const kubeletWay = `apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection:
    proxyProtocol: HTTPConnect
    transport: {uds: {udsName: %s}}
`

func newKubelets() (*kubelets, error) {
	dir, err := os.MkdirTemp("", "lab-kubelets-")
	if err != nil {
		return nil, fmt.Errorf("play kubelets: %w", err)
	}
	k := &kubelets{dir: dir, served: map[string]*httptest.Server{}, alive: map[string]bool{}}
	socket := filepath.Join(dir, "way")
	l, err := net.Listen("unix", socket)
	if err == nil {
		err = os.WriteFile(k.egress(), fmt.Appendf(nil, kubeletWay, socket), 0o600)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("play kubelets: %w", err)
	}
	k.way = &http.Server{Handler: http.HandlerFunc(k.connect)}
	go k.way.Serve(l) // until close
	return k, nil
}

// egress returns the egress configuration file of the API server.
func (k *kubelets) egress() string { return filepath.Join(k.dir, "egress.yaml") }

// connect connects the API server with the kubelet at an address. A stopped kubelet does not answer.
func (k *kubelets) connect(w http.ResponseWriter, r *http.Request) {
	address, _, _ := net.SplitHostPort(r.Host)
	k.mu.Lock()
	server := k.served[address]
	if !k.alive[address] {
		server = nil
	}
	k.mu.Unlock()
	if r.Method != http.MethodConnect || server == nil {
		http.Error(w, "connect: no route to host", http.StatusServiceUnavailable)
		return
	}
	there, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	defer there.Close()
	here, in, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	fmt.Fprint(here, "HTTP/1.1 200 OK\r\n\r\n")
	ended := make(chan struct{}, 2)
	go func() { io.Copy(there, in); ended <- struct{}{} }()
	go func() { io.Copy(here, there); ended <- struct{}{} }()
	<-ended
}

// set starts or stops the kubelet at an address.
func (k *kubelets) set(address string, alive bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.alive[address] = alive
	if k.served[address] == nil {
		k.served[address] = httptest.NewTLSServer(http.HandlerFunc(kubelet))
	}
}

// kubelet is a healthy kubelet without problems to report.
func kubelet(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/healthz":
		fmt.Fprint(w, "ok")
	case "/configz":
		fmt.Fprint(w, `{"kubeletconfig": {"enableSystemLogHandler": true, "enableSystemLogQuery": true}}`)
	case "/logs/":
	default:
		http.NotFound(w, r)
	}
}

func (k *kubelets) close() {
	k.way.Close()
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.served {
		s.CloseClientConnections()
		s.Close()
	}
	os.RemoveAll(k.dir)
}
