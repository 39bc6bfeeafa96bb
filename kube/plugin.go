package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/term"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Timeouts of credential plugins. client-go runs them without a limit (client-go plugin/pkg/client/auth/exec, v0.36).
const (
	pluginLimit = 20 * time.Second
	loginLimit  = 3 * time.Minute // the user may have to log in
)

// plugin limits the time of a credential plugin. A timeout is a separate error because the server received no request.
type plugin struct {
	next  http.RoundTripper
	name  string
	limit time.Duration
}

// arrived is the context key that records that a request has its credentials.
type arrived struct{}

// withPlugin limits the plugin of the configuration, if there is one. The client must use the marking transport.
func withPlugin(config *rest.Config, client *http.Client) {
	if config.ExecProvider == nil {
		return
	}
	limit := pluginLimit
	if config.ExecProvider.InteractiveMode != clientcmdapi.NeverExecInteractiveMode && term.IsTerminal(int(os.Stdin.Fd())) {
		limit = loginLimit
	}
	client.Transport = &plugin{client.Transport, filepath.Base(config.ExecProvider.Command), limit}
}

// marking records on requests that they have their credentials. It must be the innermost transport.
func marking(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		if has, ok := req.Context().Value(arrived{}).(*atomic.Bool); ok {
			has.Store(true)
		}
		return next.RoundTrip(req)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// RoundTrip sends the request when the plugin has returned credentials.
func (p *plugin) RoundTrip(req *http.Request) (*http.Response, error) {
	type result struct {
		resp *http.Response
		err  error
	}
	has := new(atomic.Bool)
	before := children()
	done, left := make(chan result, 1), make(chan struct{})
	go func() {
		resp, err := p.next.RoundTrip(req.WithContext(context.WithValue(req.Context(), arrived{}, has)))
		select {
		case <-left:
			if resp != nil {
				resp.Body.Close()
			}
		default:
			done <- result{resp, err}
		}
	}()
	late := time.NewTimer(p.limit)
	defer late.Stop()
	ended := req.Context().Done()
	for {
		select {
		case r := <-done:
			return r.resp, r.err
		case <-ended:
			ended = nil // the request timeout does not include the login
			if has.Load() {
				continue // the transport returns without help
			}
			if errors.Is(req.Context().Err(), context.Canceled) {
				close(left)
				endChildren(before)
				return nil, req.Context().Err()
			}
		case <-late.C:
			if has.Load() {
				continue
			}
			close(left)
			endChildren(before)
			return nil, fmt.Errorf("getting credentials: the credential plugin %s did not answer within %s", p.name, p.limit)
		}
	}
}
