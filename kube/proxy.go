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

// NodeAnswer is the response of a kubelet through the node proxy of the API server.
type NodeAnswer struct {
	Status int // HTTP status from the kubelet
	// Body fails with ErrTooLong if the response exceeds the limit.
	Body io.Reader
}

// ErrTooLong ends the body of a response that exceeds the limit of the caller.
var ErrTooLong = errors.New("the answer is longer than allowed")

// NodeProxy sends a GET for the path ("/metrics", "/logs/?query=kubelet") to the kubelet of a node and calls use within
// the timeout. The error describes the connection: Forbidden without nodes/proxy, Unavailable if the API server cannot
// reach the kubelet, Timeout without an answer. There is no retry because an unreachable node must not cost more than
// one timeout.
func (r *Reader) NodeProxy(ctx context.Context, node, path string, timeout time.Duration, most int64, use func(NodeAnswer) error) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	path, query, _ := strings.Cut(path, "?")
	q := request{verb: "get", resource: "nodes/proxy", object: node, path: "/api/v1/nodes/" + node + "/proxy" + path}
	if err := q.checkNames(node); err != nil { // a colon is invalid too: the proxy parses scheme:name:port
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
		// Errors of the API server are Status objects. The kubelet answers in plain text.
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

// limited is an io.LimitReader that reports a truncated body.
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
