package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// NodeAnswer is what a kubelet answered through the API server's node proxy.
type NodeAnswer struct {
	Status int // HTTP status of the kubelet
	// Body fails with ErrTooLong where the answer is longer than was allowed.
	Body io.Reader
}

// ErrTooLong ends the body of an answer that is longer than the caller allowed.
var ErrTooLong = errors.New("the answer is longer than allowed")

// NodeProxy asks a node's kubelet for the path ("/metrics", "/logs/?query=kubelet") and hands the answer to
// use while the timeout runs. The error is about the way to the kubelet: Forbidden where nodes/proxy is not
// allowed, Unavailable where the API server could not reach the kubelet, Timeout where nobody answered.
// There is no second attempt: a dead node must not cost more than one timeout.
func (r *Reader) NodeProxy(ctx context.Context, node, path string, timeout time.Duration, most int64, use func(NodeAnswer) error) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	path, query, _ := strings.Cut(path, "?")
	q := request{verb: "get", resource: "nodes/proxy", object: node, path: "/api/v1/nodes/" + node + "/proxy" + path}
	if err := q.checkNames(node); err != nil { // a colon too: the proxy reads scheme:name:port
		return err
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return q.fail(Failed, "the query is malformed", err)
	}
	q.query = values
	resp, err := r.send(ctx, q)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer := NodeAnswer{Status: resp.StatusCode, Body: &limited{resp.Body, most}}
	if resp.StatusCode != http.StatusOK {
		// The API server's own words are a Status object; a kubelet speaks plain text.
		head, _ := io.ReadAll(io.LimitReader(resp.Body, maxError))
		if status := decodeStatus(head); status != nil {
			return q.fail(statusReason(resp.StatusCode, status), bound(status.Message), nil)
		}
		answer.Body = bytes.NewReader(head)
	}
	if err := use(answer); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return q.fail(Timeout, fmt.Sprintf("the answer broke off after %s", timeout), err)
		}
		return err
	}
	return nil
}

// limited is io.LimitReader that says when it cut something off.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		var one [1]byte
		if n, err := io.ReadFull(l.r, one[:]); n == 0 {
			return 0, err
		}
		return 0, ErrTooLong
	}
	if int64(len(p)) > l.left {
		p = p[:l.left]
	}
	n, err := l.r.Read(p)
	l.left -= int64(n)
	return n, err
}
