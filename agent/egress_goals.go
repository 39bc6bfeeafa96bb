package agent

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

//go:embed egress.yaml
var egressData []byte

// required is one egress requirement of a provider.
type required struct {
	URL    string `json:"url"`
	Peer   string `json:"peer"`
	Need   string `json:"need"`
	Header string `json:"header"`
}

// maxGoals bounds the egress paths, and maxMirrors the package mirrors.
const (
	maxGoals   = 40
	maxMirrors = 4
)

// goals returns the required targets of the node: every address of the API server, the registry of the sandbox image,
// the package mirrors, and the requirements of the provider.
func (h *Host) goals(names map[string][]string) ([]goal, error) {
	var out []goal
	var errs []error
	s := h.kubelet()
	proxies := h.proxies()
	add := func(g goal, p proxyOf) {
		if g.url == nil || g.url.Host == "" || len(out) >= maxGoals || slices.ContainsFunc(out, func(o goal) bool { return o.url.String() == g.url.String() && o.address == g.address }) {
			return
		}
		g.proxy = p.of(g.url)
		out = append(out, g)
	}
	if k, err := h.readKubeconfig(s.kubeconfig); s.kubeconfig == "" || err != nil {
		errs = append(errs, errors.New("the address of the API server is unknown: no kubeconfig of the kubelet could be read"))
	} else if u, err := url.Parse(k.server); err == nil {
		u.Path = strings.TrimRight(u.Path, "/") + "/livez"
		g := goal{url: u, peer: "api-server", need: "the API server", roots: k.ca, name: k.serverName}
		addresses := names[u.Hostname()]
		if len(addresses) < 2 {
			add(g, proxies.kubelet)
		}
		for _, a := range addresses[:min(len(addresses), 4)] {
			if len(addresses) > 1 {
				g.address = a
				add(g, proxies.kubelet)
			}
		}
	}
	if image := h.sandboxImage(); image != "" {
		host, _, ok := strings.Cut(image, "/")
		if !ok || !strings.ContainsAny(host, ".:") {
			host = "registry-1.docker.io"
		}
		add(goal{url: &url.URL{Scheme: "https", Host: host, Path: "/v2/"}, peer: "registry", need: "the sandbox image " + wording.Cut(image, 200)}, proxies.runtime)
	}
	var lists map[string][]required
	if err := yaml.Unmarshal(egressData, &lists); err != nil {
		return out, err
	}
	for _, row := range lists[h.provider()] {
		u, err := url.Parse(row.URL)
		if err != nil {
			continue
		}
		g := goal{url: u, peer: row.Peer, need: row.Need}
		if name, value, ok := strings.Cut(row.Header, ": "); ok {
			g.header = http.Header{name: {value}}
		}
		add(g, proxies.runtime)
	}
	for i, u := range h.mirrors() {
		if i < maxMirrors {
			add(goal{url: u, peer: "packages", need: "system packages"}, proxies.system)
		}
	}
	return out, errors.Join(errs...)
}

// mirrors returns the package servers in the files of apt and yum, without duplicates.
func (h *Host) mirrors() []*url.URL {
	files := []string{"/etc/apt/sources.list"}
	for _, dir := range []string{"/etc/apt/sources.list.d", "/etc/yum.repos.d"} {
		entries, _ := h.list(dir)
		for _, e := range entries {
			files = append(files, path.Join(dir, e.Name()))
		}
	}
	var out []*url.URL
	for _, file := range files[:min(len(files), 30)] {
		for line := range strings.Lines(h.text(file)) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "deb ") && !strings.HasPrefix(line, "URIs:") && !strings.HasPrefix(line, "baseurl=") {
				continue
			}
			i := strings.Index(line, "http")
			if i < 0 || strings.Contains(line, "$") {
				continue
			}
			text, _, _ := strings.Cut(line[i:], " ")
			u, err := url.Parse(text)
			if err == nil && (u.Scheme == "http" || u.Scheme == "https") && !slices.ContainsFunc(out, func(o *url.URL) bool { return o.Host == u.Host }) {
				u.User = nil
				out = append(out, u)
			}
		}
	}
	return out
}

// proxyOf has the proxy settings of one program.
type proxyOf struct {
	http, https *url.URL
	none        []string
}

// of returns the proxy that the program uses for the URL; nil: none.
func (p proxyOf) of(u *url.URL) *url.URL {
	host := u.Hostname()
	address, err := netip.ParseAddr(host)
	if slices.ContainsFunc(p.none, func(entry string) bool { return exempts(entry, host, address) }) {
		return nil
	}
	if err == nil && (address.IsLoopback() || address.IsLinkLocalUnicast()) {
		return nil
	}
	if u.Scheme == "https" {
		return p.https
	}
	return p.http
}

// exempts reports whether an entry of NO_PROXY covers the host: as its name, its domain, or a network with its address.
func exempts(entry, host string, address netip.Addr) bool {
	if entry == "*" || entry == host || strings.HasSuffix(host, "."+strings.TrimPrefix(entry, ".")) {
		return true
	}
	network, _ := netip.ParsePrefix(entry)
	return network.Contains(address) // false if either is invalid
}

// proxies has the proxy settings of the programs on the node, and the list of all proxies.
type proxies struct {
	kubelet, runtime, system proxyOf
	any                      []*url.URL
}

// proxies reads the environment of the kubelet, the runtime and the system.
func (h *Host) proxies() proxies {
	var out proxies
	read := func(text, separator string) proxyOf {
		p := proxyOf{}
		for _, line := range strings.Split(text, separator) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			value = strings.Trim(value, `"'`)
			switch strings.ToLower(name) {
			case "http_proxy":
				p.http = proxyURL(value)
			case "https_proxy":
				p.https = proxyURL(value)
			case "no_proxy":
				p.none = strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
			}
		}
		for _, u := range []*url.URL{p.https, p.http} {
			if u != nil && !slices.ContainsFunc(out.any, func(o *url.URL) bool { return o.String() == u.String() }) {
				out.any = append(out.any, u)
			}
		}
		return p
	}
	for p := range h.eachProcess() {
		name := path.Base(p.args[0])
		environ := func() string { return h.text("/proc/" + strconv.Itoa(p.pid) + "/environ") }
		switch name {
		case "kubelet":
			out.kubelet = read(environ(), "\x00")
		case "containerd", "crio", "dockerd":
			out.runtime = read(environ(), "\x00")
		}
	}
	out.system = read(h.text("/etc/environment"), "\n")
	return out
}

func proxyURL(text string) *url.URL {
	if text == "" {
		return nil
	}
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil
	}
	return u
}

// resolverWays queries each resolver of the node for the name of the API server, over UDP and over TCP. It also queries
// the cluster DNS from the node. It returns the addresses by name.
func (h *Host) resolverWays(ctx context.Context) ([]nodereport.Egress, map[string][]string) {
	names := map[string][]string{}
	name := ""
	s := h.kubelet()
	if k, err := h.readKubeconfig(s.kubeconfig); s.kubeconfig != "" && err == nil {
		if u, err := url.Parse(k.server); err == nil && net.ParseIP(u.Hostname()) == nil {
			name = u.Hostname()
			if found := h.hosts(name); len(found) > 0 {
				names[name] = found
			}
		}
	}
	if name == "" {
		if image := h.sandboxImage(); strings.Contains(image, ".") {
			name, _, _ = strings.Cut(image, "/")
			name, _, _ = strings.Cut(name, ":")
		}
	}
	domain := s.config.ClusterDomain
	if domain == "" {
		domain = "cluster.local"
	}
	type question struct{ peer, server, name string }
	var questions []question
	if name != "" {
		for _, server := range h.resolvers() {
			questions = append(questions, question{"resolver", server, name})
		}
	}
	for _, server := range s.config.ClusterDNS[:min(len(s.config.ClusterDNS), maxServers)] {
		questions = append(questions, question{"cluster-dns", server, "kubernetes.default.svc." + domain})
	}
	out, found := make([]nodereport.Egress, len(questions)), make([][]string, len(questions))
	var done sync.WaitGroup
	for i, q := range questions {
		done.Go(func() { out[i], found[i] = h.resolverWay(ctx, q.peer, q.server, q.name) })
	}
	done.Wait()
	for i, e := range out {
		if e.Peer == "resolver" && len(found[i]) > 0 && names[name] == nil && e.Answer != "wrong-answer" {
			names[name] = found[i]
		}
	}
	for i := range out { // a name that only one resolver does not know exists
		if out[i].Peer == "resolver" && out[i].Answer == "no-name" && len(names[name]) > 0 {
			out[i].Answer, out[i].Message = "wrong-answer", "it reports that the name does not exist, but another DNS server resolves it"
		}
	}
	return out, names
}

func (h *Host) resolverWay(ctx context.Context, peer, server, name string) (nodereport.Egress, []string) {
	out := nodereport.Egress{Target: name, Peer: peer, Address: server, Need: "names"}
	begin := time.Now()
	answers, found := map[string]string{}, []string(nil)
	for _, network := range []string{"udp", "tcp"} {
		start := time.Now()
		got, answer := h.resolveBy(ctx, network, server, name)
		answers[network] = answer
		if len(got) > 0 {
			found = got
		}
		out.Steps = append(out.Steps, nodereport.Step{Name: network, Took: time.Since(start).Round(time.Microsecond), Text: strings.TrimSpace(answer + " " + strings.Join(got, " "))})
	}
	odd := slices.ContainsFunc(found, func(a string) bool {
		ip, err := netip.ParseAddr(a)
		return err == nil && (ip.IsUnspecified() || ip.IsLoopback())
	})
	switch udp, tcp := answers["udp"], answers["tcp"]; {
	case odd:
		out.Answer, out.Message = "wrong-answer", "it returns "+strings.Join(found, " ")
	case udp == "ok" && tcp == "ok":
		out.Answer = "ok"
		if time.Since(begin) > h.timeouts.slow {
			out.Answer, out.Message = "slow", "it took "+wording.Duration(time.Since(begin))
		}
	case udp == "ok" && tcp != "no such host":
		out.Answer, out.Message = "udp-only", "over TCP: "+tcp+"; answers that are too large for a packet are lost"
	case tcp == "ok" && udp != "no such host":
		out.Answer, out.Message = "tcp-only", "over UDP: "+udp
	case udp == "no such host" || tcp == "no such host":
		out.Answer, out.Message = "no-name", "it reports that the name does not exist"
	case udp == "timeout" && tcp == "timeout", udp == "timeout" && tcp == "refused":
		out.Answer, out.Message = "no-resolver", "it does not answer"
	case udp == "filtered":
		out.Answer, out.Message = "no-resolver", "the node's packet filter drops packets to it"
	case udp == "refused" || tcp == "refused":
		out.Answer, out.Message = "refused", "no DNS server is listening there"
	default:
		out.Answer, out.Message = "error", udp
	}
	return out, found
}

// resolve queries all resolvers of the node for a name.
func (h *Host) resolve(ctx context.Context, name string) []string {
	if found := h.hosts(name); len(found) > 0 {
		return found
	}
	for _, server := range h.resolvers() {
		if found, _ := h.resolveBy(ctx, "", server, name); len(found) > 0 {
			return found
		}
	}
	return nil
}

// oneByOne reads no more bytes than requested because the next protocol follows the head of a proxy response.
func oneByOne(r io.Reader) *bufio.Reader {
	return bufio.NewReaderSize(io.LimitReader(single{r}, 64<<10), 16)
}

type single struct{ r io.Reader }

func (s single) Read(p []byte) (int, error) {
	if len(p) > 1 {
		p = p[:1]
	}
	return s.r.Read(p)
}
