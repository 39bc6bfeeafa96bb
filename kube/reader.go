package kube

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"k8s.io/client-go/rest"
)

// Options configure a Reader. The zero value means the defaults.
type Options struct {
	// Timeout of one request including retries. The default is 30 s.
	Timeout time.Duration
	// AtOnce is the maximum number of requests in flight. The default is 10. Node proxy requests do not count because
	// they wait for nodes, not for the server.
	AtOnce int
}

// Reader reads from one API server. Its methods are safe for concurrent use.
type Reader struct {
	config  *rest.Config // without a timeout
	client  *http.Client
	base    *url.URL
	agent   string
	timeout time.Duration
	pace    *pace
	bodies  bodies
	large   chan struct{} // has one element while a large response is in memory

	mu       sync.Mutex
	date     time.Time
	answered bool
}

// NewReader returns a Reader. It sends no request.
func NewReader(config *rest.Config, opt Options) (*Reader, error) {
	if opt.Timeout <= 0 {
		opt.Timeout = 30 * time.Second
	}
	if opt.AtOnce <= 0 {
		opt.AtOnce = 10
	}
	own := rest.CopyConfig(config)
	own.Timeout = 0 // it covers the whole body; each request has a separate timeout
	if config.Timeout > 0 {
		opt.Timeout = config.Timeout
	}
	if own.ExecProvider != nil {
		own.Wrap(marking)
	}
	shared, err := rest.HTTPClientFor(own)
	if err != nil {
		return nil, fmt.Errorf("prepare client for %s: %w", config.Host, err)
	}
	client := *shared // may be http.DefaultClient
	withPlugin(own, &client)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	base, _, err := rest.DefaultServerUrlFor(own)
	if err != nil {
		return nil, fmt.Errorf("read address of the API server: %w", err)
	}
	agent := config.UserAgent
	if agent == "" {
		agent = "nodetriage"
	}
	return &Reader{config: own, client: &client, base: base, agent: agent, timeout: opt.Timeout, pace: newPace(opt.AtOnce), bodies: newBodies(), large: make(chan struct{}, 1)}, nil
}

// Host returns the address of the API server.
func (r *Reader) Host() string { return r.base.String() }

// ServerTime returns the clock of the server from its newest answer, to the second. It is zero before the first answer.
func (r *Reader) ServerTime() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.date
}

// Answered reports whether the server has answered a request, even with an error.
func (r *Reader) Answered() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answered
}

// Version returns the version of the server, "v1.36.3".
func (r *Reader) Version(ctx context.Context) (string, error) {
	var info struct {
		GitVersion string `json:"gitVersion"`
	}
	err := r.get(ctx, request{verb: "get", path: "/version", accept: "application/json"}, func(body []byte) error {
		return json.Unmarshal(body, &info)
	})
	return bound(info.GitVersion), err
}
