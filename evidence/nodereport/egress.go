package nodereport

import "time"

// Egress is one egress path of the node, tested step by step up to the first failure.
type Egress struct {
	Target string `json:"target"`         // URL, or a name for a resolver
	Peer   string `json:"peer"`           // api-server, resolver, cluster-dns, registry, metadata, identity, provider
	Need   string `json:"need,omitempty"` // its purpose
	// Address is the tested address, and Proxy the proxy of the path.
	Address string `json:"address,omitempty"`
	Proxy   string `json:"proxy,omitempty"`
	Steps   []Step `json:"steps"`
	// Answer is "ok" or the failure of the last step: no-name, no-resolver, wrong-answer, udp-only, tcp-only, refused,
	// timeout, unreachable, reset, tls-foreign, tls-expired, tls-not-yet, tls-name, tls, proxy-refused, proxy-needed,
	// http, slow, error.
	Answer  string `json:"answer"`
	Status  int    `json:"status,omitempty"` // HTTP
	Issuer  string `json:"issuer,omitempty"` // of the last certificate in the chain
	Message string `json:"message,omitempty"`
	Ref     string `json:"ref,omitempty"`
}

// Step is one of name, connect, tls, http, udp, tcp.
type Step struct {
	Name string        `json:"name"`
	Took time.Duration `json:"took"`
	Text string        `json:"text,omitempty"`
}
