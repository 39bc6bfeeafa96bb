package agent

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

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
	var out goalList
	proxies := h.proxies()
	servers, serverErr := h.serverGoals(names)
	out.add(proxies.kubelet, servers...)
	out.add(proxies.runtime, h.imageGoals()...)
	rows, err := h.providerGoals()
	if err != nil {
		return out, err
	}
	out.add(proxies.runtime, rows...)
	mirrors := h.mirrors()
	for _, u := range mirrors[:min(len(mirrors), maxMirrors)] {
		out.add(proxies.system, goal{url: u, peer: "packages", need: "system packages"})
	}
	return out, serverErr
}

// goalList has at most maxGoals different goals.
type goalList []goal

// add adds goals with the proxy that their program uses.
func (l *goalList) add(p proxyOf, goals ...goal) {
	for _, g := range goals {
		if g.url.Host == "" || len(*l) >= maxGoals {
			continue
		}
		known := slices.ContainsFunc(*l, func(o goal) bool { return o.url.String() == g.url.String() && o.address == g.address })
		if known {
			continue
		}
		g.proxy = p.of(g.url)
		*l = append(*l, g)
	}
}

// serverGoals returns the API server, once for each address if its name has several.
func (h *Host) serverGoals(names map[string][]string) ([]goal, error) {
	s := h.kubelet()
	k, err := h.readKubeconfig(s.kubeconfig)
	if s.kubeconfig == "" || err != nil {
		return nil, errors.New("the address of the API server is unknown: no kubeconfig of the kubelet could be read")
	}
	u, err := url.Parse(k.server)
	if err != nil {
		return nil, nil // a kubelet with such a server does not start, which other probes report
	}
	u.Path = strings.TrimRight(u.Path, "/") + "/livez"
	g := goal{url: u, peer: "api-server", need: "the API server", roots: k.ca, name: k.serverName}
	addresses := names[u.Hostname()]
	if len(addresses) < 2 {
		return []goal{g}, nil
	}
	var out []goal
	for _, a := range addresses[:min(len(addresses), 4)] {
		g.address = a
		out = append(out, g)
	}
	return out, nil
}

// imageGoals returns the registry of the sandbox image.
func (h *Host) imageGoals() []goal {
	image := h.sandboxImage()
	if image == "" {
		return nil
	}
	host, _, ok := strings.Cut(image, "/")
	if !ok || !strings.ContainsAny(host, ".:") {
		host = "registry-1.docker.io"
	}
	return []goal{{url: &url.URL{Scheme: "https", Host: host, Path: "/v2/"}, peer: "registry", need: "the sandbox image " + wording.Cut(image, 200)}}
}

// providerGoals returns the requirements of the provider.
func (h *Host) providerGoals() ([]goal, error) {
	var lists map[string][]required
	if err := yaml.Unmarshal(egressData, &lists); err != nil {
		return nil, err
	}
	var out []goal
	for _, row := range lists[h.provider()] {
		u, err := url.Parse(row.URL)
		if err != nil {
			continue
		}
		g := goal{url: u, peer: row.Peer, need: row.Need}
		if name, value, ok := strings.Cut(row.Header, ": "); ok {
			g.header = http.Header{name: {value}}
		}
		out = append(out, g)
	}
	return out, nil
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
