package agent

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/wording"
)

const (
	maxSeries     = 2000
	maxSeriesLine = 500
)

// keptSeries are prefixes of kubelet metrics that a diagnosis needs (kubernetes pkg/kubelet/metrics, 1.36.3).
var keptSeries = []string{
	"kubelet_pleg_", "kubelet_runtime_operations_total", "kubelet_runtime_operations_errors_total",
	"kubelet_runtime_operations_duration_seconds_sum", "kubelet_runtime_operations_duration_seconds_count",
	"kubelet_run_podsandbox_errors_total", "kubelet_certificate_manager_", "kubelet_server_expiration_renew_errors",
	"kubelet_evictions", "kubelet_running_pods", "kubelet_desired_pods", "kubelet_orphaned_runtime_pods_total",
	"kubelet_cgroup_version", "kubelet_cri_losing_support", "kubelet_graceful_shutdown_", "rest_client_requests_total",
	"process_start_time_seconds", "process_open_fds", "process_max_fds", "process_resident_memory_bytes", "go_goroutines",
}

// kubeletHealth queries the kubelet on the machine: the healthz port, the server port, and its metrics if authorized.
func kubeletHealth(ctx context.Context, h *Host, r *nodereport.Report) error {
	s := h.kubelet()
	k := &nodereport.Kubelet{Settings: s.facts()}
	r.Kubelet = k
	if s.configErr != nil {
		gap(r, "kubelet configuration", s.configErr, shell.Format("cat {file}", s.configFile))
	}
	if address := s.healthz(); address != "" {
		c := h.get(ctx, "http://"+address+"/healthz", nil, nil)
		k.Healthz, k.Error, k.Ref = c.body, c.Message, address+"/healthz"
		if c.Answer == "ok" && c.Status != http.StatusOK {
			k.Error = fmt.Sprintf("HTTP status %d: %s", c.Status, c.body)
		}
		c.Peer, c.Tool = "kubelet", "http"
		r.Connections = append(r.Connections, c.Connection)
	}
	return kubeletMetrics(ctx, h, s, r)
}

// kubeletMetrics reads /metrics with the service account token of this pod, or else with the client certificate of the
// kubelet. Most clusters allow only the former, with a ClusterRole.
func kubeletMetrics(ctx context.Context, h *Host, s settings, r *nodereport.Report) error {
	k := r.Kubelet
	config := &tls.Config{InsecureSkipVerify: true} // the certificate is self-signed, and the request uses loopback
	header := http.Header{}
	if token, err := podToken(); err == nil {
		header.Set("Authorization", "Bearer "+token)
	} else if file, err := h.readKubeconfig(s.kubeconfig); err == nil && file.client != nil {
		config.Certificates = []tls.Certificate{*file.client}
	}
	target := "https://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port())) + "/metrics"
	ctx, cancel := context.WithTimeout(ctx, h.timeouts.ask)
	defer cancel()
	response, err := h.request(ctx, http.MethodGet, target, header, config)
	if err != nil {
		if k.Error != "" {
			return nil // reported already
		}
		return fmt.Errorf("read %s: %w", target, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		gap(r, "metrics of the kubelet", fmt.Errorf("read %s: HTTP status %d: the kubelet rejects this process", target, response.StatusCode), "kubectl get --raw /api/v1/nodes/NODE/proxy/metrics")
		return nil
	}
	lines := bufio.NewScanner(io.LimitReader(response.Body, 64<<20))
	lines.Buffer(nil, maxFile)
	for lines.Scan() {
		line := lines.Text()
		if len(line) > maxSeriesLine || len(k.Series) == maxSeries || strings.HasPrefix(line, "#") {
			continue
		}
		for _, head := range keptSeries {
			if strings.HasPrefix(line, head) {
				k.Series = append(k.Series, line)
				break
			}
		}
	}
	return lines.Err()
}

// reply is the result of a request with the beginning of the body.
type reply struct {
	nodereport.Connection
	body     string
	date     time.Time
	untimely bool // by the local clock a certificate is expired or not yet valid
}

// get fetches a small page and returns the result for the report.
func (h *Host) get(ctx context.Context, target string, header http.Header, config *tls.Config) reply {
	out := reply{Connection: nodereport.Connection{Target: target}}
	ctx, cancel := context.WithTimeout(ctx, h.timeouts.ask)
	defer cancel()
	start := time.Now()
	response, err := h.request(ctx, http.MethodGet, target, header, config)
	out.Latency = time.Since(start).Round(time.Microsecond)
	if err != nil {
		out.Answer, out.Message = wordFor(err), wording.Cut(bareURL(err).Error(), 300)
		out.Ref = target + ": " + out.Message
		var invalid x509.CertificateInvalidError
		out.untimely = errors.As(err, &invalid) && invalid.Reason == x509.Expired
		return out
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	out.Answer, out.Status, out.body = "ok", response.StatusCode, wording.Cut(strings.TrimSpace(string(body)), 16<<10)
	if err != nil && out.body == "" {
		out.Answer, out.Message = wordFor(err), wording.Cut(err.Error(), 300)
	}
	out.date, _ = http.ParseTime(response.Header.Get("Date"))
	out.Ref = fmt.Sprintf("%s: HTTP status %d after %s", target, out.Status, out.Latency.Round(time.Millisecond))
	return out
}

// request sends one request without redirects and without a proxy, because it tests the direct path.
func (h *Host) request(ctx context.Context, method, target string, header http.Header, config *tls.Config) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, method, target, nil)
	if err != nil {
		return nil, err
	}
	if header != nil {
		q.Header = header
	}
	transport := &http.Transport{DialContext: h.system.dial, TLSClientConfig: config, DisableKeepAlives: true, TLSHandshakeTimeout: h.timeouts.ask}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return client.Do(q)
}
