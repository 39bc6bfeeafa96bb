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
	PageSize  int    // objects of a page; default 500, of large objects fewer
	MaxPages  int    // stop after so many; 0: read all
	// FromCache allows an answer from the server's watch cache (resourceVersion=0), which may be a little
	// old and has no pages. Only for lists that are small by their selector.
	FromCache bool
	// Reuse gives the memory of a page to the page after the next: page keeps no pointer to its objects and no list of their
	// status.
	Reuse bool
}

const (
	pageSize    = 500
	smallPage   = 25        // where a page is too large
	maxRestarts = 5         // of a list that expires before its end
	maxListed   = 1_000_000 // objects of one list, in pages of full size; the largest clusters have 150,000 pods
)

// List reads the resource page by page. page is called with one page after the other, never concurrently,
// while the next page is already under way; it may take the objects apart and keep what it likes; what
// Pods share it changes for those that follow too. all reports whether every object was read: it is false after an error and when MaxPages ended the list.
//
// An Error of a page after the first says in Rest how far the list came. A list that does not end is one too: a continue token
// that was given before, a page that brings nothing new, more pages than any cluster has.
//
// A list whose continue token has expired (410) goes on with the token that the server gives for the newest
// state, or, without one, starts again and leaves out what was delivered: lists are ordered by key. So each
// object comes at most once, and one that exists from beginning to end is not missed.
func List[T any](ctx context.Context, r *Reader, res Resource[T], q Query, page func([]T) error) (all bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := lister[T]{reader: r, resource: res, query: q, decode: res.decoder(), tokens: map[string]bool{}}
	var spare []T
	rest := Rest{Page: 1}
	fetched := l.start(ctx, "", nil)
	pages := 0 // that brought something: those of a restart do not count
	for {
		answer := <-fetched
		if answer.err != nil {
			return false, rest.of(answer.err)
		}
		rest.Read, rest.Left = rest.Read+len(answer.items), answer.remaining
		if len(answer.items) > 0 { // else it was delivered before the list expired
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

// Count is how many objects of the resource there are, by one small request; -1: more than one, and the server does not say.
func Count[T any](ctx context.Context, r *Reader, res Resource[T]) (int, error) {
	l := lister[T]{reader: r, resource: res, query: Query{PageSize: 1}, decode: res.decoder()}
	first := l.request(ctx, "", nil)
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
	skip     bool   // after a restart: leave out what is not behind last
	restarts int
	tokens   map[string]bool // that were followed since the last restart
	pages    int
}

type answer[T any] struct {
	items     []T
	next      string
	remaining *int64 // objects after these; nil: the server does not say
	err       error
}

// start fetches a page beside the caller, into the memory of an earlier one. The lister's own fields are the fetcher's until
// it has answered.
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

// endless returns an error if the list goes in a circle, or has more pages than any cluster.
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

// deliver drops what an earlier attempt delivered and remembers the last key.
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
		return nil
	})
	return a
}

// Get reads one object; a missing one is an Error with Reason NotFound.
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
