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

// Proxy serves what an API server serves, with the fault of the moment.
type Proxy struct {
	URL string

	server  *httptest.Server
	real    http.Handler
	metered []string // nodes that the metrics API knows

	mu     sync.Mutex
	limits map[Read]int   // objects of a page, see Paginate
	fault  *Fault         // see Play
	pages  map[string]int // by continue token: which page it leads to
	seen   map[Read]int   // the last page that was asked for
	forged int            // pages of an endless list
}

// Start begins to serve on loopback what the API server of the configuration serves, and the metrics of the nodes.
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
		ErrorLog: log.New(io.Discard, "", 0), // each request that a client gives up
	}
	p.Play(nil)
	p.server = httptest.NewServer(p)
	p.URL = p.server.URL
	return p, nil
}

// Close ends it, with the requests that hang.
func (p *Proxy) Close() {
	p.server.CloseClientConnections()
	p.server.Close()
}

// Paginate sets how many objects a page of each list has, at most.
func (p *Proxy) Paginate(limits map[Read]int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.limits = limits
}

// Play begins a run with this fault, or with none, and forgets what was read before.
func (p *Proxy) Play(f *Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.pages, p.seen, p.forged = f, map[string]int{}, map[Read]int{}, 0
}

// Reads returns what was read since the run began, in the order of the names, with the number of pages of each.
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
		q.Del("continue") // the first page again and again
	}
	if asked, _ := strconv.Atoi(q.Get("limit")); limit > 0 && asked > limit {
		q.Set("limit", strconv.Itoa(limit))
	}
	r.URL.RawQuery = q.Encode()
	r.Header.Del("Accept-Encoding") // turnPage reads the answers
	p.real.ServeHTTP(w, r.WithContext(withPage(r.Context(), read, page)))
}

// forAll is the failure of everything that is asked for; nil: there is none.
func (p *Proxy) forAll() *Failure {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fault == nil || p.fault.Page > 0 {
		return nil
	}
	return &p.fault.How
}

// arrive notes a request, and returns which page it is for, the fault of that page, and how many objects it may have.
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

// turnPage notes where the continue token of an answer leads to.
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

// isKubelet reports whether the request is for a node's kubelet, and returns the path there.
func isKubelet(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, "/api/v1/nodes/")
	if !ok {
		return "", false
	}
	_, rest, ok = strings.Cut(rest, "/proxy/")
	return rest, ok
}
