package agent

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// authority is a CA for tests.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &authority{key: key}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "kubernetes"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	if a.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.pem = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return a
}

// sign returns a certificate and its key.
func (a *authority) sign(t *testing.T, name string, until time.Time) (certificate, key []byte) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name, Organization: []string{"system:nodes"}}, NotBefore: until.Add(-365 * 24 * time.Hour), NotAfter: until,
		DNSNames: []string{"api.example"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &k.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: raw})
}

// apiHost returns a node whose kubelet knows the server, trusts the CA and has a certificate that is valid for a day.
func apiHost(t *testing.T, a *authority, server string) *Host {
	t.Helper()
	h, _ := socketHost(t)
	h.system.dial = (&net.Dialer{}).DialContext
	certificate, key := a.sign(t, "system:node:worker-3", time.Now().Add(24*time.Hour))
	write(t, h, "/var/lib/kubelet/pki/kubelet-client-2026.pem", string(certificate)+string(key))
	write(t, h, "/etc/kubernetes/kubelet.conf", fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: default
clusters: [{name: c, cluster: {server: %q, certificate-authority-data: %s}}]
contexts: [{name: default, context: {cluster: c, user: u}}]
users: [{name: u, user: {client-certificate: /var/lib/kubelet/pki/kubelet-client-current.pem, client-key: /var/lib/kubelet/pki/kubelet-client-current.pem}}]
`, server, base64.StdEncoding.EncodeToString(a.pem)))
	link(t, h, "/var/lib/kubelet/pki/kubelet-client-2026.pem", "/var/lib/kubelet/pki/kubelet-client-current.pem")
	return h
}

func serveTLS(t *testing.T, a *authority, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	return serveTLSUntil(t, a, time.Now().Add(time.Hour), handler)
}

func serveTLSUntil(t *testing.T, a *authority, end time.Time, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	certificate, key := a.sign(t, "kube-apiserver", end)
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(handler)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, ClientAuth: tls.RequestClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestAPIServer(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	s := serveTLS(t, a, func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path != "/livez" || len(q.TLS.PeerCertificates) == 0 || q.TLS.PeerCertificates[0].Subject.CommonName != "system:node:worker-3" {
			http.Error(w, "Unauthorized", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Date", time.Now().Add(-10*time.Minute).UTC().Format(http.TimeFormat))
		fmt.Fprint(w, "ok")
	})
	h := apiHost(t, a, s.URL)
	r := &nodereport.Report{}
	if err := apiServer(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	c := r.Connections[0]
	if len(r.Connections) != 1 || c.Peer != "api-server" || c.Answer != "ok" || c.Status != 200 || c.Latency <= 0 {
		t.Errorf("connections: %+v", r.Connections)
	}
	if r.Clock == nil || (r.Clock.Offset-10*time.Minute).Abs() > time.Minute {
		t.Errorf("the clock is ten minutes ahead of the server's, but it says %+v", r.Clock)
	}
	if got := h.nodeName(); got != "worker-3" {
		t.Errorf("the certificate is for worker-3, but the node is called %q", got)
	}
}

// With a clock far ahead, the certificate of the server is expired. The Date header shows the offset, and no secret is
// sent to an unverified server.
func TestCertificateEndedByThisClock(t *testing.T) {
	a := newAuthority(t)
	var asked []*http.Request
	s := serveTLSUntil(t, a, time.Now().Add(-time.Minute), func(w http.ResponseWriter, q *http.Request) {
		asked = append(asked, q)
		w.Header().Set("Date", time.Now().Add(-48*time.Hour).UTC().Format(http.TimeFormat))
		w.WriteHeader(http.StatusUnauthorized)
	})
	r := &nodereport.Report{}
	if err := apiServer(t.Context(), apiHost(t, a, s.URL), r); err != nil {
		t.Fatal(err)
	}
	if len(r.Connections) != 1 || r.Connections[0].Answer != "tls" {
		t.Errorf("connections: %+v", r.Connections)
	}
	if r.Clock == nil || (r.Clock.Offset-48*time.Hour).Abs() > time.Minute || !strings.Contains(r.Clock.Ref, "not verified") {
		t.Errorf("the clock is two days ahead of the server's, but it says %+v", r.Clock)
	}
	if len(asked) != 1 || len(asked[0].TLS.PeerCertificates) > 0 || len(asked[0].Header["Authorization"]) > 0 {
		t.Errorf("asked: %+v", asked)
	}
}

func TestAPIServerFails(t *testing.T) {
	a := newAuthority(t)
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	refusing := serveTLS(t, a, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Unauthorized", http.StatusUnauthorized) })
	foreign := serveTLS(t, newAuthority(t), func(http.ResponseWriter, *http.Request) {})
	for name, c := range map[string]struct {
		server, answer string
		status         int
	}{
		"refused":      {"https://" + closed.Addr().String(), "refused", 0},
		"silent":       {"https://" + silent.Addr().String(), "timeout", 0},
		"unauthorized": {refusing.URL, "ok", 401},
		"other-ca":     {foreign.URL, "tls", 0},
		"no-address":   {"https://api.nowhere.example:6443", "dns", 0},
	} {
		t.Run(name, func(t *testing.T) {
			h := apiHost(t, a, c.server)
			if c.answer == "timeout" {
				h.timeouts.ask = short
			}
			r := &nodereport.Report{}
			if err := apiServer(t.Context(), h, r); err != nil {
				t.Fatal(err)
			}
			if got := r.Connections[0]; got.Answer != c.answer || got.Status != c.status || got.Target != c.server {
				t.Errorf("it says %+v, want %s %d", got, c.answer, c.status)
			}
		})
	}
}

// Resolvers that answer, return NXDOMAIN or time out give different results.
func TestLookup(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	write(t, h, "/etc/resolv.conf", "search example\nnameserver 10.0.0.10\nnameserver 10.0.0.11\nnameserver 10.0.0.12\nnameserver 10.0.0.13\n")
	write(t, h, "/etc/hosts", "127.0.0.1 localhost\n10.0.0.4 worker-3 worker-3.example # us\n")
	good, unknown := dnsServer(t, 0), dnsServer(t, 3)
	mute, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	at := map[string]string{"10.0.0.10:53": mute.LocalAddr().String(), "10.0.0.11:53": unknown, "10.0.0.12:53": good}
	h.system.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, at[address])
		if err == nil && at[address] == mute.LocalAddr().String() {
			c = hasty{c}
		}
		return c, err
	}
	r := &nodereport.Report{}
	if found := h.lookup(t.Context(), "api.example.test", r); len(found) != 1 || found[0] != "192.0.2.7" {
		t.Errorf("found %v", found)
	}
	var answers []string
	for _, l := range r.Lookups {
		answers = append(answers, l.Server+" "+l.Answer)
	}
	if got := strings.Join(answers, ", "); got != "10.0.0.10 timeout, 10.0.0.11 no such host, 10.0.0.12 ok" {
		t.Errorf("the resolvers: %s", got)
	}
	if found := h.lookup(t.Context(), "Worker-3.example", r); len(found) != 1 || found[0] != "10.0.0.4" {
		t.Errorf("of /etc/hosts: %v", found)
	}
}

// hasty is a connection to a server that never answers. Its deadline expires at once, so the timeout of the others can
// be long.
type hasty struct{ net.Conn }

func (h hasty) SetDeadline(time.Time) error { return h.Conn.SetDeadline(time.Now()) }

// dnsServer answers every A query with 192.0.2.7, or with an error code.
func dnsServer(t *testing.T, code byte) string {
	t.Helper()
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := c.ReadFrom(buf)
			if err != nil {
				return
			}
			end := 12
			for end < n && buf[end] != 0 {
				end += int(buf[end]) + 1
			}
			question := buf[12 : end+5]
			isA := question[len(question)-3] == 1
			out := append([]byte{buf[0], buf[1], 0x81, 0x80 | code, 0, 1, 0, 0, 0, 0, 0, 0}, question...)
			if code == 0 && isA {
				out[7] = 1
				out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7)
			}
			_, _ = c.WriteTo(out, from)
		}
	}()
	return c.LocalAddr().String()
}

func TestKubelet(t *testing.T) {
	t.Parallel()
	health := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }))
	defer health.Close()
	metrics := serveTLS(t, newAuthority(t), func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "# HELP kubelet_pleg_last_seen_seconds x\nkubelet_pleg_last_seen_seconds 1.7e+09\ngo_gc_duration_seconds 1\nrest_client_requests_total{code=\"401\"} 7\n")
	})
	h, _ := socketHost(t)
	h.system.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		to := map[string]string{"127.0.0.1:10248": health.Listener.Addr().String(), "127.0.0.1:10250": metrics.Listener.Addr().String()}[address]
		return (&net.Dialer{}).DialContext(ctx, network, to)
	}
	r := &nodereport.Report{}
	if err := kubeletHealth(t.Context(), h, r); err == nil {
		t.Log("read as a pod") // a token was present, which makes no difference here
	}
	if r.Kubelet.Healthz != "ok" || len(r.Kubelet.Series) != 2 || r.Connections[0].Peer != "kubelet" || r.Connections[0].Answer != "ok" {
		t.Errorf("it says %+v, %+v", r.Kubelet, r.Connections)
	}
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	h := apiHost(t, a, "https://127.0.0.1:6443")
	serving, _ := a.sign(t, "worker-3", time.Now().Add(-time.Hour))
	write(t, h, "/var/lib/kubelet/pki/kubelet.crt", string(serving))
	write(t, h, "/var/lib/kubelet/config.yaml", "authentication: {x509: {clientCAFile: /etc/kubernetes/pki/ca.crt}}\n")
	write(t, h, "/etc/kubernetes/pki/ca.crt", "noise\n"+string(a.pem))
	r := &nodereport.Report{}
	if err := certificates(t.Context(), h, r); err != nil {
		t.Fatal(err)
	}
	uses := map[string]nodereport.Certificate{}
	for _, c := range r.Certificates {
		uses[c.Use] = c
	}
	if c := uses["kubelet-client"]; !strings.HasPrefix(c.Subject, "CN=system:node:worker-3") || time.Until(c.NotAfter) > 25*time.Hour {
		t.Errorf("client: %+v", c)
	}
	if c := uses["kubelet-serving"]; !c.NotAfter.Before(time.Now()) {
		t.Errorf("serving: %+v", c)
	}
	if c := uses["ca"]; c.Path != "/etc/kubernetes/pki/ca.crt" {
		t.Errorf("authority: %+v", c)
	}
	for _, c := range r.Certificates {
		if strings.Contains(c.Ref+c.Subject, "PRIVATE") {
			t.Error("a key is in the report")
		}
	}
}

func TestCloud(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch {
		case q.Header.Get("Metadata") == "true" && q.URL.Path == "/metadata/instance/compute":
			fmt.Fprint(w, `{"resourceId":"/subscriptions/s/vm","vmSize":"Standard_D4s_v5","location":"westeurope","zone":"2"}`)
		case q.Header.Get("Metadata") == "true" && q.URL.Path == "/metadata/scheduledevents":
			fmt.Fprint(w, `{"DocumentIncarnation":2,"Events":[{"EventId":"a","EventType":"Preempt","ResourceType":"VirtualMachine","EventStatus":"Scheduled","NotBefore":"Sun, 01 Mar 2026 10:00:30 GMT","Description":""}]}`)
		case q.Method == http.MethodPut && q.URL.Path == "/latest/api/token":
			fmt.Fprint(w, "secret-of-a-minute")
		case q.Header.Get("X-Aws-Ec2-Metadata-Token") == "secret-of-a-minute" && q.URL.Path == "/latest/meta-data/instance-id":
			fmt.Fprint(w, "i-0123456789")
		case q.Header.Get("X-Aws-Ec2-Metadata-Token") == "secret-of-a-minute" && q.URL.Path == "/latest/meta-data/events/maintenance/scheduled":
			fmt.Fprint(w, `[{"NotBefore":"2 Mar 2026 09:00:43 GMT","Code":"system-reboot","Description":"scheduled reboot","State":"active"}]`)
		case q.Header.Get("Metadata-Flavor") == "Google" && strings.HasSuffix(q.URL.Path, "/name"):
			fmt.Fprint(w, "gke-1")
		case q.Header.Get("Metadata-Flavor") == "Google" && strings.HasSuffix(q.URL.Path, "/maintenance-event"):
			fmt.Fprint(w, "MIGRATE_ON_HOST_MAINTENANCE")
		case q.Header.Get("Metadata-Flavor") == "Google" && strings.HasSuffix(q.URL.Path, "/zone"):
			fmt.Fprint(w, "projects/1/zones/europe-west1-b")
		default:
			http.NotFound(w, q)
		}
	}))
	defer s.Close()
	for provider, c := range map[string]struct{ file, text, instance, event, zone string }{
		"azure": {"chassis_asset_tag", azureTag, "/subscriptions/s/vm", "Preempt", "westeurope-2"},
		"aws":   {"sys_vendor", "Amazon EC2", "i-0123456789", "system-reboot", ""},
		"gcp":   {"product_name", "Google Compute Engine", "gke-1", "MIGRATE_ON_HOST_MAINTENANCE", "europe-west1-b"},
	} {
		t.Run(provider, func(t *testing.T) {
			h, _ := socketHost(t)
			write(t, h, "/sys/class/dmi/id/"+c.file, c.text+"\n")
			h.system.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				if address != "169.254.169.254:80" {
					return nil, fmt.Errorf("it reaches for %s", address)
				}
				return (&net.Dialer{}).DialContext(ctx, network, s.Listener.Addr().String())
			}
			r := &nodereport.Report{}
			if err := cloud(t.Context(), h, r); err != nil {
				t.Fatal(err)
			}
			got := r.Cloud
			if got == nil || got.Provider != provider || got.Instance != c.instance || got.Zone != c.zone || len(got.Events) != 1 || got.Events[0].Kind != c.event {
				t.Errorf("it says %+v", got)
			}
		})
	}
}

// A machine outside a cloud sends no metadata requests.
func TestNoCloud(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	write(t, h, "/sys/class/dmi/id/sys_vendor", "QEMU\n")
	h.system.dial = func(context.Context, string, string) (net.Conn, error) {
		t.Error("it asks the network")
		return nil, errNotMachine
	}
	r := &nodereport.Report{}
	if err := cloud(t.Context(), h, r); err != nil || r.Cloud != nil || r.Connections != nil {
		t.Errorf("it says %+v (%v)", r, err)
	}
}
