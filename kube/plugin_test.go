//go:build linux

package kube

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// A hanging credential plugin is ended, and the error names it.
func TestPluginThatHangs(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	script := filepath.Join(t.TempDir(), "log-in")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec sleep 1000\n"), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	r, err := NewReader(&rest.Config{
		Host: server.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true},
		ExecProvider: &clientcmdapi.ExecConfig{
			Command: script, APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
		},
	}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	bounded, ok := r.client.Transport.(*plugin)
	if !ok {
		t.Fatalf("the transport is %T", r.client.Transport)
	}
	bounded.limit = time.Second
	if _, err = r.Version(context.Background()); ReasonOf(err) != Unauthorized || !strings.Contains(err.Error(), "log-in did not answer within 1s") {
		t.Errorf("got %v", err)
	}
	if r.Answered() {
		t.Error("the server answered, though nobody was asked for")
	}
}
