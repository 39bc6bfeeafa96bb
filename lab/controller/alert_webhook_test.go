//go:build unix

package controller_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// An alert about a sick node becomes a message with its cause.
func TestAlertWebhook(t *testing.T) {
	w := newWorld(t)
	messages := make(chan []byte, 10)
	chat := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		messages <- body
	}))
	t.Cleanup(chat.Close)
	dir, address := t.TempDir(), freeAddress(t)
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	r := run(t, w.user(t), "--alert-webhook-address", address, "--alert-webhook-token-file", file("token", "secret"), "--alert-message-url-file", file("url", chat.URL))
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(r.log)
		}
	})
	node := size.Node(0)
	w.sick(t, node, true)
	w.until(t, time.Minute, "published", func() bool { return w.of(t, node).Primary.Cause != "" })
	begun := time.Now()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/alertmanager",
		bytes.NewReader([]byte(`{"version":"4","status":"firing","alerts":[{"status":"firing","labels":{"alertname":"NodePressure","node":"`+node+`"}}]}`)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer secret")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	select {
	case body := <-messages:
		var m struct {
			Nodes []string
			Cause string
		}
		if err := json.Unmarshal(body, &m); err != nil || len(m.Nodes) != 1 || m.Nodes[0] != node || m.Cause != w.of(t, node).Primary.Cause {
			t.Errorf("%v: %s", err, body)
		}
		t.Logf("the message came after %s", time.Since(begun))
	case <-time.After(time.Minute):
		t.Fatalf("no message; the answer was %s", response.Status)
	}
}
