package kube

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
)

// Query narrows a list.
type Query struct {
	Namespace string // empty: all
	Labels    string // label selector
	Fields    string // field selector
	PageSize  int    // objects per page; default 500, fewer for large objects
	MaxPages  int    // stop after this many pages; 0: read all
	// FromCache allows an answer from the watch cache (resourceVersion=0), which may be slightly stale and has no pages.
	// Use it only for lists with a narrow selector.
	FromCache bool
	// Reuse reuses the memory of a page for the page after the next. The callback must not keep pointers to objects or
	// to lists in their status.
	Reuse bool
}

const (
	pageSize    = 500
	smallPage   = 25        // if a page is too large
	maxRestarts = 5         // of a list that expires before its last page
	maxListed   = 1_000_000 // objects per list, in full pages; the largest clusters have 150,000 pods
)

// List reads the resource page by page. It calls page sequentially while it fetches the next page. page may modify and
// keep the objects; a change to the shared parts of pods affects later pods. all reports whether every object was read:
// it is false after an error and after MaxPages.
//
// An Error after the first page has the progress in Rest. A list that never ends also returns an Error: a repeated
// continue token, a page without new objects, or too many pages.
//
// If the continue token expires (410), List continues with the token that the server returns for the newest state.
// Without one, it restarts and skips delivered objects, because lists are ordered by key. Each object comes at most
// once, and an object that exists during the whole list is not missed.
func List[T any](ctx context.Context, r *Reader, res Resource[T], q Query, page func([]T) error) (all bool, err error) {
	return newLister(r, res, q).list(ctx, page)
}

func newLister[T any](r *Reader, res Resource[T], q Query) *lister[T] {
	return &lister[T]{reader: r, resource: res, query: q, decode: res.decoder(), tokens: map[string]bool{}}
}

func (l *lister[T]) list(ctx context.Context, page func([]T) error) (all bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	q := l.query
	var spare []T
	rest := Rest{Page: 1}
	fetched := l.start(ctx, "", nil)
	pages := 0 // pages with new objects; pages of a restart do not count
	for {
		answer := <-fetched
		if answer.err != nil {
			return false, rest.of(answer.err)
		}
		rest.Read, rest.Left = rest.Read+len(answer.items), answer.remaining
		if len(answer.items) > 0 { // otherwise delivered before the list expired
			rest.Page++
			pages++
		}
		more := answer.next != ""
		wanted := more && (q.MaxPages == 0 || pages < q.MaxPages)
		if wanted {
			fetched = l.start(ctx, answer.next, spare)
		}
		if len(answer.items) > 0 {
			if err := page(answer.items); err != nil {
				return false, err
			}
		}
		if !wanted {
			return !more, nil
		}
		if q.Reuse {
			spare = answer.items
		}
	}
}

// Count returns the number of objects of the resource with one small request. It returns -1 if there is more than one
// and the server does not count.
func Count[T any](ctx context.Context, r *Reader, res Resource[T]) (int, error) {
	first := newLister(r, res, Query{PageSize: 1}).request(ctx, "", nil)
	switch {
	case first.err != nil:
		return 0, first.err
	case first.next == "":
		return len(first.items), nil
	case first.remaining == nil:
		return -1, nil
	}
	return len(first.items) + int(*first.remaining), nil
}

type lister[T any] struct {
	reader   *Reader
	resource Resource[T]
	query    Query
	decode   func(object []byte, out *T) error
	last     string // key of the last object delivered
	skip     bool   // after a restart: skip objects up to last
	restarts int
	tokens   map[string]bool // tokens used since the last restart
	pages    int
	version  string // resource version of the first page: a watch from here sends all changes that later pages may lack
}

type answer[T any] struct {
	items     []T
	next      string
	remaining *int64 // remaining objects; nil: unknown
	err       error
}

// start fetches a page in the background into the memory of an earlier page. The caller must not use the fields of the
// lister until the answer arrives.
func (l *lister[T]) start(ctx context.Context, token string, spare []T) <-chan answer[T] {
	done := make(chan answer[T], 1)
	go func() { done <- l.fetch(ctx, token, spare) }()
	return done
}

func (l *lister[T]) fetch(ctx context.Context, token string, spare []T) answer[T] {
	for {
		a := l.request(ctx, token, spare)
		var e *Error
		if errors.As(a.err, &e) && e.Reason == Expired && token != "" && l.restarts < maxRestarts {
			l.restarts++
			token = e.continueToken
			l.skip = l.skip || token == ""
			clear(l.tokens)
			continue
		}
		if tooLarge(a.err) && l.pageSize() > smallPage && !l.query.FromCache {
			l.query.PageSize = smallPage
			continue
		}
		if a.err == nil {
			a.err = l.endless(&a)
		}
		if a.err == nil {
			l.deliver(&a)
		}
		return a
	}
}

// endless returns an error if the list repeats itself or has more pages than any cluster.
func (l *lister[T]) endless(a *answer[T]) error {
	l.pages++
	why := ""
	switch n := len(a.items); {
	case a.next != "" && l.tokens[a.next]:
		why = "the server gives the same continue token again"
	case !l.skip && l.last != "" && n > 0 && l.resource.key(&a.items[n-1]) <= l.last:
		why = "the server sends the same objects again"
	case l.pages > maxListed/l.pageSize():
		why = fmt.Sprintf("there are more than %d pages", maxListed/l.pageSize())
	default:
		if a.next != "" {
			l.tokens[a.next] = true
		}
		return nil
	}
	q := request{verb: "list", resource: l.resource.String(), object: l.query.Namespace}
	return q.fail(Failed, "the list does not end: "+why, nil)
}

func (l *lister[T]) pageSize() int { return cmp.Or(l.query.PageSize, l.resource.page, pageSize) }

// deliver drops objects that an earlier attempt delivered and stores the last key.
func (l *lister[T]) deliver(a *answer[T]) {
	if l.skip {
		from := 0
		for from < len(a.items) && l.resource.key(&a.items[from]) <= l.last {
			from++
		}
		a.items = a.items[from:]
	}
	if n := len(a.items); n > 0 {
		l.last = l.resource.key(&a.items[n-1])
	}
}

func (l *lister[T]) request(ctx context.Context, token string, spare []T) answer[T] {
	q := l.query
	params := url.Values{}
	set := func(name, value string) {
		if value != "" {
			params.Set(name, value)
		}
	}
	set("labelSelector", q.Labels)
	set("fieldSelector", q.Fields)
	set("continue", token)
	if q.FromCache {
		set("resourceVersion", "0")
	} else {
		set("limit", strconv.Itoa(l.pageSize()))
	}
	var a answer[T]
	a.err = l.reader.get(ctx, request{
		verb: "list", resource: l.resource.String(), object: q.Namespace,
		path: l.resource.path(q.Namespace, ""), query: params, accept: l.resource.accept(),
	}, func(body []byte) error {
		items, meta, err := decodeList(body, spare, l.decode)
		if err == nil && bytes.HasPrefix(body, magic) {
			err = checkList(body)
		}
		if err != nil {
			return err
		}
		a.items, a.next, a.remaining = items, meta.Continue, meta.RemainingItemCount
		l.version = cmp.Or(l.version, meta.ResourceVersion)
		return nil
	})
	return a
}

// Get reads one object. If it does not exist, the Error has the Reason NotFound.
func Get[T any](ctx context.Context, r *Reader, res Resource[T], namespace, name string) (*T, error) {
	q := request{verb: "get", resource: res.String(), object: name, path: res.path(namespace, name), accept: accept}
	if namespace != "" {
		q.object = namespace + "/" + name
	}
	if err := q.checkNames(namespace, name); err != nil {
		return nil, err
	}
	var out *T
	err := r.get(ctx, q, func(body []byte) (err error) {
		out, err = res.one(body)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
