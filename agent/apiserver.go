package agent

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

// certainOffset is the apparent offset of two correct clocks: HTTP dates have whole seconds, and the request takes
// time.
const certainOffset = 3 * time.Second

// way is the path of the kubelet to the API server.
type way struct {
	target     string // liveness endpoint
	config     *tls.Config
	kubeconfig *kubeconfig
	file       string // from the kubeconfig
}

func (w *way) host() string {
	u, err := url.Parse(w.target)
	if err != nil {
		return w.target
	}
	return u.Host
}

// wayToServer returns the path. It returns nil without an error if the server name does not resolve, which r records.
func (h *Host) wayToServer(ctx context.Context, r *nodereport.Report) (*way, error) {
	s := h.kubelet()
	if s.kubeconfig == "" {
		return nil, errors.New("no kubeconfig of the kubelet found in the usual places")
	}
	k, err := h.readKubeconfig(s.kubeconfig)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(k.server)
	if err != nil || u.Host == "" {
		return nil, errors.New("the server in " + s.kubeconfig + " is not a URL: " + wording.Cut(k.server, 100))
	}
	name, port := u.Hostname(), u.Port()
	if port == "" {
		port = "443"
	}
	address := name
	if net.ParseIP(name) == nil {
		found := h.lookup(ctx, name, r)
		if len(found) == 0 {
			r.Connections = append(r.Connections, nodereport.Connection{Tool: "https", Peer: "api-server", Target: k.server, Answer: "dns", Message: "its name does not resolve", Ref: k.server + ": its name has no address"})
			return nil, nil
		}
		address = found[0]
	}
	config := &tls.Config{RootCAs: k.ca, ServerName: k.serverName, InsecureSkipVerify: k.insecure}
	if config.ServerName == "" {
		config.ServerName = name
	}
	if k.client != nil {
		config.Certificates = []tls.Certificate{*k.client}
	}
	target := (&url.URL{Scheme: u.Scheme, Host: net.JoinHostPort(address, port), Path: strings.TrimRight(u.Path, "/") + "/livez"}).String()
	return &way{target: target, config: config, kubeconfig: k, file: s.kubeconfig}, nil
}

// apiServer connects to the API server like the kubelet: DNS, route, TLS handshake with the CA of the kubelet, and one
// request with its credentials. The Date header shows whether the clock of the node is right.
func apiServer(ctx context.Context, h *Host, r *nodereport.Report) error {
	w, err := h.wayToServer(ctx, r)
	if w == nil {
		return err
	}
	k := w.kubeconfig
	sent := h.system.now()
	// Certificate dates are checked elsewhere. Here only the identity of the server matters.
	c := h.get(ctx, w.target, http.Header{"User-Agent": {"nodetriage"}}, w.config)
	c.Tool, c.Peer, c.Target = "https", "api-server", k.server
	if c.Status >= 400 {
		c.Message = wording.Cut(c.body, 200)
	}
	if k.clientErr != nil {
		gap(r, "authentication at the API server", k.clientErr, shell.Format("kubectl --kubeconfig {file} get --raw /livez", w.file))
	}
	r.Connections = append(r.Connections, c.Connection)
	says := "Date of the API server: "
	if c.untimely {
		// By the local clock a certificate is expired or not yet valid. The Date header shows whether the clock is wrong.
		// The request has no credentials, and only the date of the answer is used.
		says = "Date of the server at " + w.host() + " (certificate not verified): "
		sent = h.system.now()
		c = h.get(ctx, w.target, http.Header{"User-Agent": {"nodetriage"}}, &tls.Config{ServerName: w.config.ServerName, InsecureSkipVerify: true})
	}
	if !c.date.IsZero() {
		off := sent.Add(c.Latency / 2).Sub(c.date.Add(time.Second / 2))
		if off.Abs() < certainOffset {
			off = 0
		}
		r.Clock = &nodereport.Clock{Offset: off.Round(time.Second), Ref: says + c.date.Format(time.RFC3339)}
	}
	return nil
}
