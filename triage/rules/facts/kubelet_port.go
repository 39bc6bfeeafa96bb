package facts

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// AuthorizerFailed matches the kubelet's answer if its own authorization request to the API server failed (kubernetes
// pkg/kubelet/server/server.go InstallAuthFilter, 1.36.3).
var AuthorizerFailed = lazyregexp.New(`Authorization error \(user=`)

// dialed matches a failed connection to the kubelet's port, in the words of Go's net package.
var dialed = lazyregexp.New(`dial tcp[46]? \S{1,60}:10250: `)

// PortAnswer classifies the answer from the kubelet's port: refused, silence, answer, or "" if the problem is on the path
// (permissions, a proxy or tunnel).
func PortAnswer(k *evidence.Kubelet) string {
	if k.Healthz != "" || len(k.Metrics) > 0 || len(k.Config) > 0 || k.Stats != nil {
		return "answer" // one request that times out among several does not mean a closed port
	}
	text := strings.ToLower(k.Error)
	has := func(parts ...string) bool {
		for _, part := range parts {
			if strings.Contains(text, part) {
				return true
			}
		}
		return false
	}
	if i := dialed.FindStringIndex(text); i != nil {
		text = text[i[1]:] // a proxy repeats the error of its connection to the kubelet
	}
	switch {
	case has("kubelet answered http", "tls: ", "x509: "): // both sides can cause a failed handshake
		return "answer"
	case has("tunnel", "no agent available", "proxy error", "forbidden"):
		return ""
	case has("connection refused"):
		return "refused"
	case has("no route to host", "timeout", "timed out", "deadline exceeded", "no answer", "host is unreachable"):
		return "silence"
	}
	return ""
}
