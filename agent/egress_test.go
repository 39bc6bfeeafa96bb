package agent

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// Real sockets produce each failure of an egress path, and the results differ.
func TestEgressWays(t *testing.T) {
	t.Parallel()
	own, foreign := newAuthority(t), newAuthority(t)
	well := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") }
	good := serveTLS(t, own, well)
	tests := map[string]struct {
		target, want string
		arrange      func(h *Host)
	}{
		"ok":          {good.URL, "ok", nil},
		"expired":     {serveTLSUntil(t, own, time.Now().Add(-time.Hour), well).URL, "tls-expired", nil},
		"intercepted": {serveTLS(t, foreign, well).URL, "tls-foreign", nil},
		"not yet":     {serveTLSUntil(t, own, time.Now().Add(370*24*time.Hour), well).URL, "tls-not-yet", nil},
		"other name":  {good.URL, "tls-name", nil},
		"refused":     {"https://" + closedPort(t), "refused", nil},
		"filtered": {"https://10.255.255.1:443", "timeout", func(h *Host) {
			h.timeouts.step = short
			h.system.dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
				<-ctx.Done()
				return nil, &net.OpError{Op: "dial", Err: ctx.Err()}
			}
		}},
		"reset": {"https://" + resetting(t), "reset", nil},
		"error": {serveTLS(t, own, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }).URL, "http", nil},
		"slow": {serveTLS(t, own, func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(2 * short)
		}).URL, "slow", func(h *Host) { h.timeouts.slow = short }},
		"no name": {"https://nowhere.example", "no-name", nil},
		"proxy": {"https://10.255.255.1:443", "proxy-needed", func(h *Host) {
			write(t, h, "/etc/environment", "https_proxy="+proxyTo(t, good.Listener.Addr().String(), 200)+"\n")
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := egressHost(t, own)
			if test.arrange != nil {
				test.arrange(h)
			}
			u, err := url.Parse(test.target)
			if err != nil {
				t.Fatal(err)
			}
			got := h.way(t.Context(), goal{url: u, peer: "registry", name: nameFor(name)}, nil)
			if got.Answer != test.want {
				t.Errorf("it says %+v, want %s", got, test.want)
			}
			if test.want == "tls-foreign" && got.Issuer != "CN=kubernetes" {
				t.Errorf("it does not name who signed: %q", got.Issuer)
			}
			if len(got.Steps) == 0 {
				t.Error("it tells no step")
			}
		})
	}
}

// nameFor returns the name in the certificate if it is not the target: the proxy forwards to a server with another
// address.
func nameFor(test string) string {
	switch test {
	case "proxy":
		return "127.0.0.1"
	case "other name":
		return "other.example"
	}
	return ""
}

func TestEgressProxyRefuses(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	h := egressHost(t, a)
	proxy, _ := url.Parse(proxyTo(t, "127.0.0.1:1", 407))
	u, _ := url.Parse("https://registry.example/v2/")
	if got := h.way(t.Context(), goal{url: u, peer: "registry", proxy: proxy}, nil); got.Answer != "proxy-refused" || got.Status != 407 {
		t.Errorf("it says %+v", got)
	}
}

// egressHost returns a node whose system trusts the CA. Connections to 10.255.255.1 time out.
func egressHost(t *testing.T, a *authority) *Host {
	t.Helper()
	h, _ := socketHost(t)
	h.now = time.Now()
	write(t, h, "/etc/ssl/certs/ca-certificates.crt", string(a.pem))
	h.system.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.HasPrefix(address, "10.255.255.1:") {
			return nil, &net.OpError{Op: "dial", Err: context.DeadlineExceeded}
		}
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	return h
}

func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// resetting accepts connections and resets them.
func resetting(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 1))
			_ = c.(*net.TCPConn).SetLinger(0)
			c.Close()
		}
	}()
	return l.Addr().String()
}

// proxyTo answers CONNECT with the status, and forwards every target to one address.
func proxyTo(t *testing.T, address string, status int) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Method != http.MethodConnect || status != http.StatusOK {
			w.WriteHeader(status)
			return
		}
		to, err := net.Dial("tcp", address)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer to.Close()
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "HTTP/1.1 200 Connection established\r\n\r\n")
		go func() { _, _ = io.Copy(to, conn) }()
		_, _ = io.Copy(conn, to)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Resolvers that time out, lie, know no names, or serve only UDP or TCP.
func TestEgressResolvers(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	for name, test := range map[string]struct {
		udp, tcp []byte // the returned address; empty: NXDOMAIN; nil: no server
		silent   bool
		want     string
	}{
		"well":     {udp: []byte{10, 0, 0, 4}, tcp: []byte{10, 0, 0, 4}, want: "ok"},
		"udp only": {udp: []byte{10, 0, 0, 4}, want: "udp-only"},
		"tcp only": {tcp: []byte{10, 0, 0, 4}, want: "tcp-only"},
		"lies":     {udp: []byte{0, 0, 0, 0}, tcp: []byte{0, 0, 0, 0}, want: "wrong-answer"},
		"no name":  {udp: []byte{}, tcp: []byte{}, want: "no-name"},
		"refused":  {want: "refused"},
		"silent":   {silent: true, want: "no-resolver"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := egressHost(t, a)
			if test.silent {
				h.timeouts.lookup = short
			}
			udp, tcp := nameServer(t, test.udp, test.tcp, test.silent)
			h.system.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				to := udp
				if strings.HasPrefix(network, "tcp") {
					to = tcp
				}
				return (&net.Dialer{}).DialContext(ctx, network, to)
			}
			got, _ := h.resolverWay(t.Context(), nameQuestion{"resolver", "192.0.2.53", "api.example"})
			if got.Answer != test.want {
				t.Errorf("it says %+v, want %s", got, test.want)
			}
		})
	}
}

// nameServer serves one name over UDP and TCP, on separate ports.
func nameServer(t *testing.T, byUDP, byTCP []byte, silent bool) (udp, tcp string) {
	t.Helper()
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	streams, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { packets.Close(); streams.Close() })
	if silent {
		return packets.LocalAddr().String(), streams.Addr().String() // the kernel accepts the connection, but no process answers
	}
	if byUDP == nil {
		packets.Close()
	}
	if byTCP == nil {
		streams.Close()
	}
	go func() {
		for buffer := make([]byte, 1500); ; {
			n, from, err := packets.ReadFrom(buffer)
			if err != nil {
				return
			}
			_, _ = packets.WriteTo(answerTo(buffer[:n], byUDP), from)
		}
	}()
	go func() {
		for {
			c, err := streams.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				head := make([]byte, 2)
				if _, err := io.ReadFull(c, head); err != nil {
					return
				}
				question := make([]byte, binary.BigEndian.Uint16(head))
				if _, err := io.ReadFull(c, question); err != nil {
					return
				}
				reply := answerTo(question, byTCP)
				_, _ = c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...))
			}()
		}
	}()
	return packets.LocalAddr().String(), streams.Addr().String()
}

// answerTo returns the DNS answer: an address for type A, nothing for others, and NXDOMAIN without an address (RFC
// 1035).
func answerTo(question, address []byte) []byte {
	end := 12
	for end < len(question) && question[end] != 0 {
		end += int(question[end]) + 1
	}
	end += 5
	out := append([]byte{}, question[:end]...)
	out[2], out[3] = 0x84, 0x80
	copy(out[4:12], []byte{0, 1, 0, 0, 0, 0, 0, 0})
	kind := binary.BigEndian.Uint16(question[end-4:])
	switch {
	case len(address) == 0:
		out[3] |= 3
	case kind == 1:
		out[7] = 1
		out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4)
		out = append(out, address...)
	}
	return out
}

// The complete list of a node: API server, registry of the sandbox image, mirrors, and requirements of its provider.
func TestEgressGoals(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	h := apiHost(t, a, "https://api.example:6443")
	write(t, h, "/etc/hosts", "10.0.0.4 api.example\n10.0.0.5 api.example\n")
	write(t, h, "/etc/containerd/config.toml", "[plugins.\"io.containerd.grpc.v1.cri\"]\n  sandbox_image = \"registry.example:5000/pause:3.9\"\n")
	write(t, h, "/etc/apt/sources.list", "deb http://deb.example/debian stable main\n# deb http://old.example/debian stable main\n")
	write(t, h, "/sys/class/dmi/id/chassis_asset_tag", azureTag+"\n")
	_, names := h.resolverWays(t.Context())
	goals, err := h.goals(names)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range goals {
		got = append(got, g.peer+" "+g.url.Host+" "+g.address)
	}
	text := strings.Join(got, "\n")
	for _, want := range []string{"api-server api.example:6443 10.0.0.4", "api-server api.example:6443 10.0.0.5", "registry registry.example:5000", "packages deb.example", "identity 169.254.169.254", "registry mcr.microsoft.com"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing among\n%s", want, text)
		}
	}
	if strings.Contains(text, "old.example") {
		t.Error("a line that is switched off counts")
	}
}

// The probe sends packets only on request.
func TestEgressIsAskedFor(t *testing.T) {
	t.Parallel()
	h, _ := socketHost(t)
	for _, p := range New(Options{Root: h.root}).probes {
		if p.name == "egress" {
			t.Error("a look without the option tries the ways out")
		}
	}
	r := &nodereport.Report{}
	join(r, &nodereport.Report{Egress: []nodereport.Egress{{Target: "x"}}})
	if len(r.Egress) != 1 {
		t.Error("the ways are not joined")
	}
}
