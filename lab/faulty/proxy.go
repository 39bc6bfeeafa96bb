package faulty

import (
	"cmp"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
)

// Proxy serves the data of an API server with the current fault.
type Proxy struct {
	URL string

	server  *httptest.Server
	real    http.Handler
	metered []string // nodes with metrics

	mu     sync.Mutex
	limits map[Read]int   // page size, see Paginate
	fault  *Fault         // see Play
	pages  map[string]int // page number by continue token
	seen   map[Read]int   // the last page that was requested
	forged int            // pages of an endless list
}

// Start starts a proxy on loopback for the API server of the configuration, with metrics of the nodes.
func Start(config *rest.Config, nodes ...string) (*Proxy, error) {
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, err
	}
	target, err := url.Parse(config.Host)
	if err != nil {
		return nil, err
	}
	p := &Proxy{metered: nodes}
	p.real = &httputil.ReverseProxy{
		Transport: transport, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, ModifyResponse: p.turnPage,
		ErrorLog: log.New(io.Discard, "", 0), // each aborted request of a client
	}
	p.Play(nil)
	p.server = httptest.NewServer(p)
	p.URL = p.server.URL
	return p, nil
}

// Close stops the proxy and all hanging requests.
func (p *Proxy) Close() {
	p.server.CloseClientConnections()
	p.server.Close()
}

// Paginate sets the maximum page size of each list.
func (p *Proxy) Paginate(limits map[Read]int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limits = limits
}

// Play starts a run with this fault, or without one, and forgets the previous reads.
func (p *Proxy) Play(f *Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.pages, p.seen, p.forged = f, map[string]int{}, map[Read]int{}, 0
}

// Reads returns the reads since the start of the run, by name, with the number of pages of each.
func (p *Proxy) Reads() (reads []Read, pages map[Read]int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pages = map[Read]int{}
	for r, n := range p.seen {
		reads, pages[r] = append(reads, r), n
	}
	slices.SortFunc(reads, func(a, b Read) int { return cmp.Compare(a.String(), b.String()) })
	return reads, pages
}

func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if standIn(w, r) {
		return
	}
	read, ok := parse(r.URL)
	if !ok {
		if f := p.forAll(); f != nil {
			f.refuse(w, r)
			return
		}
		p.real.ServeHTTP(w, r)
		return
	}
	page, fault, limit := p.arrive(read, r.URL.Query().Get("continue"))
	if fault != nil && fault.Asked != nil {
		fault.Asked()
	}
	switch {
	case fault == nil:
	case fault.How == Endless:
		r = r.WithContext(withoutEnd(r.Context()))
	default:
		fault.How.refuse(w, r)
		return
	}
	if read.Resource == "nodes."+metricsGroup {
		usage(w, read, p.metered)
		return
	}
	q := r.URL.Query()
	if fault != nil {
		q.Del("continue") // the first page repeatedly
	}
	if asked, _ := strconv.Atoi(q.Get("limit")); limit > 0 && asked > limit {
		q.Set("limit", strconv.Itoa(limit))
	}
	r.URL.RawQuery = q.Encode()
	r.Header.Del("Accept-Encoding") // turnPage reads the answers
	p.real.ServeHTTP(w, r.WithContext(withPage(r.Context(), read, page)))
}

// forAll returns the failure of every request; nil: none.
func (p *Proxy) forAll() *Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault == nil || p.fault.Page > 0 {
		return nil
	}
	return &p.fault.How
}

// arrive records a request, and returns its page number, the fault of that page, and the page size.
func (p *Proxy) arrive(read Read, token string) (page int, f *Fault, limit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	page = cmp.Or(p.pages[read.String()+token], 1)
	p.seen[read] = max(p.seen[read], page)
	if p.fault != nil && p.fault.hits(read, page) {
		f = p.fault
	}
	return page, f, p.limits[read]
}

func (f *Fault) hits(read Read, page int) bool {
	switch {
	case f.Page == 0:
		return true
	case f.Read != read:
		return false
	}
	return page == f.Page || f.How == Endless && page > f.Page
}

// turnPage records the page of the continue token in a response.
func (p *Proxy) turnPage(resp *http.Response) error {
	read, page, ok := pageOf(resp.Request.Context())
	if !ok || resp.StatusCode != http.StatusOK || !read.IsList() {
		return nil
	}
	list, err := openList(resp)
	if err != nil {
		return err
	}
	if endless(resp.Request.Context()) {
		p.mu.Lock()
		p.forged++
		number := p.forged
		p.mu.Unlock()
		if err := list.forge(number); err != nil {
			return err
		}
	}
	if token := list.token(); token != "" {
		p.mu.Lock()
		p.pages[read.String()+token] = page + 1
		p.mu.Unlock()
	}
	return list.write(resp)
}

// isKubelet reports whether the request is for the kubelet of a node, and returns the path.
func isKubelet(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, "/api/v1/nodes/")
	if !ok {
		return "", false
	}
	_, rest, ok = strings.Cut(rest, "/proxy/")
	return rest, ok
}
