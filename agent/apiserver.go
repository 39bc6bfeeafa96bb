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

// certainOffset is how far two clocks may seem apart only because HTTP tells whole seconds and the way takes time.
const certainOffset = 3 * time.Second

// way is the kubelet's way to the API server.
type way struct {
	target     string // that answers whether the server lives
	config     *tls.Config
	kubeconfig *kubeconfig
	file       string // of the kubeconfig
}

func (w *way) host() string {
	u, err := url.Parse(w.target)
	if err != nil {
		return w.target
	}
	return u.Host
}

// wayToServer finds the way; nil without an error: the name of the server has no address, which r tells.
func (h *Host) wayToServer(ctx context.Context, r *nodereport.Report) (*way, error) {
	s := h.kubelet()
	if s.kubeconfig == "" {
		return nil, errors.New("no kubeconfig of the kubelet was found in its usual places")
	}
	k, err := h.readKubeconfig(s.kubeconfig)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(k.server)
	if err != nil || u.Host == "" {
		return nil, errors.New("the server in " + s.kubeconfig + " is no URL: " + wording.Cut(k.server, 100))
	}
	name, port := u.Hostname(), u.Port()
	if port == "" {
		port = "443"
	}
	address := name
	if net.ParseIP(name) == nil {
		found := h.lookup(ctx, name, r)
		if len(found) == 0 {
			r.Connections = append(r.Connections, nodereport.Connection{Tool: "https", Peer: "api-server", Target: k.server, Answer: "dns", Message: "its name has no address", Ref: k.server + ": its name has no address"})
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

// apiServer goes the kubelet's way to the API server: the name, the route, the handshake with the authority that the
// kubelet trusts, and one request as the kubelet. The date of the answer tells how right this clock is.
func apiServer(ctx context.Context, h *Host, r *nodereport.Report) error {
	w, err := h.wayToServer(ctx, r)
	if w == nil {
		return err
	}
	k := w.kubeconfig
	sent := h.system.now()
	// The dates are judged as certificates; here the question is whether the server is the right one.
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
		// By this clock one of the certificates has ended, or does not hold yet. Whether the clock is wrong, the server tells
		// anybody: nothing is sent but the question, and nothing is taken from the answer but its date.
		says = "Date of what answers at " + w.host() + ", its certificate not judged: "
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
