package faulty

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
)

// Fault affects one page of one read, for every request of that page.
type Fault struct {
	Read Read
	Page int // from 1; 0: every page of every read
	How  Failure
	// Asked, if set, is called for every request of the page, before it fails.
	Asked func()
}

// Failure is the kind of failure of a page.
type Failure string

// Kinds of failures.
const (
	ServerError  Failure = "500"
	Throttled    Failure = "429"
	Later        Failure = "429 with Retry-After"
	Forbidden    Failure = "403"
	Unauthorized Failure = "401"
	Hang         Failure = "hang"
	Reset        Failure = "reset"
	HTML         Failure = "html"
	Expired      Failure = "410"
	// Endless is not a failure of a page: from this page on the list never ends.
	Endless Failure = "endless"
)

// Failures are the kinds of failures of a single page.
var Failures = []Failure{ServerError, Throttled, Later, Forbidden, Unauthorized, Hang, Reset, HTML, Expired}

// refuse answers instead of the API server.
func (f Failure) refuse(w http.ResponseWriter, r *http.Request) {
	switch f {
	case ServerError:
		status(w, http.StatusInternalServerError, "InternalError")
	case Throttled:
		status(w, http.StatusTooManyRequests, "TooManyRequests")
	case Later:
		w.Header().Set("Retry-After", "1")
		status(w, http.StatusTooManyRequests, "TooManyRequests")
	case Forbidden:
		status(w, http.StatusForbidden, "Forbidden")
	case Unauthorized:
		status(w, http.StatusUnauthorized, "Unauthorized")
	case Expired:
		status(w, http.StatusGone, "Expired")
	case HTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<html><head><title>Sign in</title></head><body>Maintenance. Please come back later.</body></html>"))
	case Reset:
		reset(w)
	default:
		<-r.Context().Done()
	}
}

// status answers with an error in the format of the API server.
func status(w http.ResponseWriter, code int, reason string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"spoiled on purpose","reason":%q,"code":%d}`, reason, code)
}

// reset sends the header and a part of the body, and then a TCP reset.
func reset(w http.ResponseWriter) {
	c, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer c.Close()
	body := []byte("k8s\x00\x0a\x0d\x0a\x02v1\x12\x07PodList\x12")
	_, _ = buffered.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/vnd.kubernetes.protobuf\r\nContent-Length: " + strconv.Itoa(100*len(body)) + "\r\n\r\n")
	_, _ = buffered.Write(body)
	_ = buffered.Flush()
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetLinger(0)
	}
}
