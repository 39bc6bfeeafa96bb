//go:build linux

package nodecheck_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nodetriage/nodetriage/lab"
)

// ways maps the names that an Azure node must reach to the local address and the expected result.
var ways = []struct{ name, address, answer string }{
	{"mcr.microsoft.com", "192.0.2.1", "ok"},
	{"eastus.data.mcr.microsoft.com", "192.0.2.2", "tls-expired"},
	{"management.azure.com", "192.0.2.3", "tls-foreign"},
	{"login.microsoftonline.com", "192.0.2.4", "timeout"},
	{"packages.microsoft.com", "192.0.2.5", "refused"},
	{"acs-mirror.azureedge.net", "192.0.2.6", "slow"},
	{"packages.aks.azure.com", "192.0.2.4", "proxy-needed"},
	{"deb.example.org", "192.0.2.1", "proxy-refused"}, // through the system proxy
	{"registry.example.com", "", "tls-name"},          // as the resolvers answer
	{"168.63.129.16", "", "timeout"},
}

// resolvers are name servers with their expected result.
var resolvers = []struct{ address, answer string }{{"192.0.2.51", "no-resolver"}, {"192.0.2.52", "udp-only"}, {"192.0.2.53", "wrong-answer"}}

// Each failure of a connection is produced with real servers, filters and certificates on a real node. node-check
// --egress must distinguish them.
func TestEgress(t *testing.T) {
	if err := lab.CanRunSystemd(); err != nil {
		t.Skip(err)
	}
	m := systemdNode(t)
	shell(t, m, `set -e
for i in 1 2 3 4 5 6 7 51 52 53; do ip addr add 192.0.2.$i/32 dev lo; done
iptables -A OUTPUT -p tcp -d 192.0.2.4 -j DROP; iptables -A INPUT -d 192.0.2.51 -j DROP`)
	own, foreign := newAuthority(t), newAuthority(t)
	good := []string{"mcr.microsoft.com", "acs-mirror.azureedge.net", "packages.aks.azure.com"}
	year := time.Now().Add(365 * 24 * time.Hour)
	on := onNode{t, m}
	on.serve("192.0.2.1:443", own.issue(t, year, good...), 0)
	on.serve("192.0.2.2:443", own.issue(t, time.Now().Add(-time.Hour), "eastus.data.mcr.microsoft.com"), 0)
	on.serve("192.0.2.3:443", foreign.issue(t, year, "management.azure.com"), 0)
	on.serve("192.0.2.6:443", own.issue(t, year, good...), 2500*time.Millisecond)
	on.proxy("192.0.2.7:3128", "packages.aks.azure.com:443", "192.0.2.1:443")
	on.names("192.0.2.52:53", net.IPv4(192, 0, 2, 1))
	on.names("192.0.2.53:53", net.IPv4zero)

	var hosts, servers strings.Builder
	for _, w := range ways {
		if w.address != "" {
			fmt.Fprintf(&hosts, "%s %s\n", w.address, w.name)
		}
	}
	for _, r := range resolvers {
		fmt.Fprintf(&servers, "nameserver %s\n", r.address)
	}
	for name, text := range map[string]string{
		"hosts": hosts.String(), "resolv.conf": servers.String(), "ca.pem": own.pem, "sources.list": "deb https://deb.example.org/debian stable main\n",
		"environment": "https_proxy=http://192.0.2.7:3128\n",
	} {
		if err := m.WriteFor("/opt/ways/"+name, text); err != nil {
			t.Fatal(err)
		}
	}
	over := azureTag + `
mkdir -p /etc/apt /etc/ssl/certs; touch /etc/environment /etc/apt/sources.list /etc/ssl/certs/ca-certificates.crt
put() { mount --bind /opt/ways/$1 "$(readlink -f $2)"; }
put hosts /etc/hosts; put resolv.conf /etc/resolv.conf; put ca.pem /etc/ssl/certs/ca-certificates.crt; put sources.list /etc/apt/sources.list; put environment /etc/environment
set -- "$@" --egress`
	wrong, settled := []string{"not asked"}, map[string]bool{}
	for end := time.Now().Add(5 * time.Minute); len(wrong) > 0 && time.Now().Before(end); { // on a busy host another connection may be slow
		r, _ := seen(t, m, over)
		wrong = mistaken(r.Egress, settled)
	}
	if len(wrong) > 0 {
		t.Error(strings.Join(wrong, "\n"))
	}
}

// mistaken returns the connections with a wrong result. A connection that had the right result in an earlier run may be
// late in this one: not all have to be in time at once.
func mistaken(all []egress, settled map[string]bool) (out []string) {
	expect := func(what, answer string, is func(egress) bool) {
		wrong := ""
		if i := slices.IndexFunc(all, is); i < 0 {
			wrong = what + " was not tried"
		} else if e := all[i]; e.Answer != answer && !(settled[what] && e.late()) {
			wrong = fmt.Sprintf("%s is called %s (%s), want %s", what, e.Answer, e.Message, answer)
		}
		if settled[what] = wrong == ""; wrong != "" {
			out = append(out, wrong)
		}
	}
	for _, w := range ways {
		expect(w.name, w.answer, func(e egress) bool { return strings.Contains(e.Target, "//"+w.name+"/") })
	}
	for _, r := range resolvers {
		expect("resolver "+r.address, r.answer, func(e egress) bool { return e.Peer == "resolver" && e.Address == r.address })
	}
	return out
}

// egress contains the checked fields of a connection.
type egress struct{ Target, Peer, Address, Answer, Message string }

// late reports whether its only problem is a timeout.
func (e egress) late() bool {
	switch e.Answer {
	case "timeout", "slow":
		return true
	case "no-resolver":
		return e.Message == "it does not answer"
	}
	return e.Answer == "error" && e.Message == "the time limit of all egress checks was reached"
}

// onNode starts servers in the network of a node.
type onNode struct {
	t *testing.T
	m *lab.Machine
}

// open opens a socket there: a socket stays in the network of the thread that opened it.
func (n onNode) open(socket func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and ends with this goroutine
		f, err := os.Open(filepath.Join(n.m.Path("/"), "../ns/net"))
		if err == nil {
			defer f.Close()
			err = unix.Setns(int(f.Fd()), unix.CLONE_NEWNET)
		}
		if err == nil {
			err = socket()
		}
		done <- err
	}()
	return <-done
}

func (n onNode) tcp(address string) net.Listener {
	n.t.Helper()
	var l net.Listener
	if err := n.open(func() (err error) { l, err = net.Listen("tcp", address); return }); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { l.Close() })
	return l
}

// serve answers requests over TLS after a delay.
func (n onNode) serve(address string, certificate tls.Certificate, after time.Duration) {
	s := &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(after)
			w.WriteHeader(http.StatusOK)
		}),
	}
	l := tls.NewListener(n.tcp(address), &tls.Config{Certificates: []tls.Certificate{certificate}})
	go s.Serve(l)
	n.t.Cleanup(func() { s.Close() })
}

// proxy forwards requests for one name to an address, and rejects others.
func (n onNode) proxy(address, name, to string) {
	l := n.tcp(address)
	s := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Method != http.MethodConnect || q.Host != name {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		var there net.Conn
		if err := n.open(func() (err error) { there, err = net.Dial("tcp", to); return }); err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer there.Close()
		here, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer here.Close()
		fmt.Fprint(here, "HTTP/1.1 200 Connection established\r\n\r\n")
		go io.Copy(there, here)
		io.Copy(here, there)
	})}
	go s.Serve(l)
	n.t.Cleanup(func() { s.Close() })
}

// names returns one address for every name, over UDP only.
func (n onNode) names(address string, ip net.IP) {
	var packets net.PacketConn
	if err := n.open(func() (err error) { packets, err = net.ListenPacket("udp", address); return }); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() { packets.Close() })
	go func() {
		for buffer := make([]byte, 1500); ; {
			size, from, err := packets.ReadFrom(buffer)
			if err != nil {
				return
			}
			packets.WriteTo(answerTo(buffer[:size], ip), from)
		}
	}()
}

// answerTo answers a question for an IPv4 address, and others with an empty answer (RFC 1035).
func answerTo(question []byte, ip net.IP) []byte {
	end := 12
	for end < len(question) && question[end] != 0 {
		end += int(question[end]) + 1
	}
	end += 5
	out := slices.Clone(question[:end])
	out[2], out[3] = 0x84, 0x80
	copy(out[4:12], []byte{0, 1, 0, 0, 0, 0, 0, 0})
	if binary.BigEndian.Uint16(question[end-4:]) == 1 {
		out[7] = 1
		out = append(append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4), ip.To4()...)
	}
	return out
}

// authority is a CA that signs certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "an authority"}, NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(48 * 365 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	data, err := x509.CreateCertificate(rand.Reader, form, form, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	if a.certificate, err = x509.ParseCertificate(data); err != nil {
		t.Fatal(err)
	}
	a.pem = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: data}))
	return a
}

// issue creates a certificate for the names, valid until a time.
func (a *authority) issue(t *testing.T, end time.Time, names ...string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(2), DNSNames: names, NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: end, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	data, err := x509.CreateCertificate(rand.Reader, form, a.certificate, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{data}, PrivateKey: key}
}
