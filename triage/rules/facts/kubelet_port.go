package facts

import (
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// AuthorizerFailed is how a kubelet answers where its own question to the API server about the rights of the caller failed
// (kubernetes pkg/kubelet/server/server.go InstallAuthFilter, 1.36.3).
var AuthorizerFailed = lazyregexp.New(`Authorization error \(user=`)

// dialed is a call to the kubelet's port that failed, in the words of Go's net package.
var dialed = lazyregexp.New(`dial tcp[46]? \S{1,60}:10250: `)

// PortAnswer sorts what came back from the kubelet's port: refused, silence, answer, or "" where the way there
// was the trouble (rights, a proxy or tunnel between).
func PortAnswer(k *evidence.Kubelet) string {
	if k.Healthz != "" || len(k.Metrics) > 0 || len(k.Config) > 0 || k.Stats != nil {
		return "answer" // one of several questions that is not answered in time is no closed port
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
		text = text[i[1]:] // a proxy between repeats how its own call to the kubelet went
	}
	switch {
	case has("kubelet answered http", "tls: ", "x509: "): // a handshake that fails has two ends
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
