package azure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
)

const (
	maxReads  = 29       // requests of one diagnosis including retries
	maxPages  = 10       // of a list that must be complete
	fewPages  = 3        // of a list that may be partial
	maxAnswer = 4 << 20  // bytes
	maxSizes  = 24 << 20 // bytes of the VM size list of a region
	patience  = 45 * time.Second
)

// client queries Azure Resource Manager. It only sends read requests.
type client struct {
	arm       *arm.Client
	reads     int
	ended     error            // why no more requests are sent
	throttled map[string]error // resource providers that throttle
}

var (
	errBudget = error(spent{})
	errGone   = errors.New("it does not exist")
	errSlow   = errors.New("too many requests")
)

// spent is the error after the last allowed request.
type spent struct{}

func (spent) Error() string {
	return fmt.Sprintf("%d requests are the bound of one diagnosis", maxReads)
}

// NonRetriable disables retries in the pipeline.
func (spent) NonRetriable() {}

// tries counts sent requests and stops at the limit. It is also the context key of the count.
type tries struct{}

func (tries) Do(req *policy.Request) (*http.Response, error) {
	if n, counted := req.Raw().Context().Value(tries{}).(*int); counted {
		if *n >= maxReads {
			return nil, errBudget
		}
		*n++
	}
	return req.Next()
}

// left returns how many requests may still be sent.
func (c *client) left() int { return maxReads - c.reads }

// get reads one resource or one page of a list.
func (c *client) get(ctx context.Context, address string) ([]byte, error) {
	return c.ask(ctx, http.MethodGet, address, maxAnswer)
}

// ask sends a read request: GET, or POST for the few read operations that need it.
func (c *client) ask(ctx context.Context, method, address string, limit int64) ([]byte, error) {
	if c.ended != nil {
		return nil, c.ended
	}
	of := provider(address)
	if err := c.throttled[of]; err != nil {
		return nil, err
	}
	req, err := runtime.NewRequest(context.WithValue(ctx, tries{}, &c.reads), method, address)
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	req.Raw().Header.Set("Accept", "application/json")
	runtime.SkipBodyDownload(req)
	resp, err := c.arm.Pipeline().Do(req)
	if err != nil {
		if ctx.Err() != nil {
			c.ended = fmt.Errorf("Azure did not answer within %s", patience)
			return nil, c.ended
		}
		c.endOn(err)
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the response was interrupted: %w", err)
	case int64(len(body)) > limit:
		return nil, fmt.Errorf("the response is larger than %d MiB", limit>>20)
	case resp.StatusCode != http.StatusOK:
		return nil, c.refusal(resp, of, body)
	case !json.Valid(body):
		return nil, errors.New("the response is not a complete JSON document")
	}
	return body, nil
}

// endOn stops all requests if a retry cannot help because there is no login.
func (c *client) endOn(err error) {
	var auth interface{ NonRetriable() }
	if errors.As(err, &auth) {
		c.ended = err
	}
}

// refusal returns the error in the response. It marks the throttled resource provider, or all of Resource Manager, to
// send it no more requests.
func (c *client) refusal(resp *http.Response, of string, body []byte) error {
	var doc struct {
		Error         struct{ Code, Message string }
		Code, Message string
	}
	_ = json.Unmarshal(body, &doc) // a response without JSON has no code
	if doc.Error.Code == "" {
		doc.Error.Code, doc.Error.Message = doc.Code, doc.Message
	}
	err := fmt.Errorf("Azure returned %d %s", resp.StatusCode, strings.TrimSpace(doc.Error.Code+" "+cut(doc.Error.Message)))
	switch resp.StatusCode {
	case http.StatusNotFound:
		return &gone{err, body}
	case http.StatusUnauthorized: // more requests do not help
		c.ended = err
	case http.StatusTooManyRequests:
		err = fmt.Errorf("%w: %w", errSlow, err)
		if after := resp.Header.Get("Retry-After"); after != "" {
			err = fmt.Errorf("%w; it asks to wait for %s s", err, cut(after))
		}
		if of == "" || doc.Error.Code == "SubscriptionRequestsThrottled" {
			c.ended = err
			return err
		}
		if c.throttled == nil {
			c.throttled = map[string]error{}
		}
		c.throttled[of] = err
	}
	return err
}

// gone is the error for a resource that does not exist.
type gone struct {
	err  error
	body []byte
}

func (g *gone) Error() string { return errGone.Error() + ": " + g.err.Error() }

func (g *gone) Unwrap() error { return errGone }

// provider returns the resource provider of a request. Each has separate rate limits.
func provider(address string) string {
	low := strings.ToLower(address)
	i := strings.LastIndex(low, "/providers/")
	if i < 0 {
		return ""
	}
	name, _, _ := strings.Cut(low[i+len("/providers/"):], "/")
	return name
}

func cut(s string) string {
	if len(s) > 300 {
		return strings.ToValidUTF8(s[:300], "") + "..."
	}
	return s
}

// address returns the URL of a resource.
func (c *client) address(path, version string, query ...string) string {
	q := url.Values{"api-version": {version}}
	for i := 0; i+1 < len(query); i += 2 {
		q.Set(query[i], query[i+1])
	}
	// The API does not decode a plus sign in a filter.
	return strings.TrimSuffix(c.arm.Endpoint(), "/") + path + "?" + strings.ReplaceAll(q.Encode(), "+", "%20")
}

// list reads at most most pages of a list. It does not follow a next link to another host because the request would
// send the token there.
func (c *client) list(ctx context.Context, address string, most int, page func([]byte)) error {
	seen := map[string]bool{}
	for range most {
		seen[address] = true
		body, err := c.get(ctx, address)
		if err != nil {
			return err
		}
		page(body)
		var next struct {
			NextLink string `json:"nextLink"`
		}
		if json.Unmarshal(body, &next) != nil || next.NextLink == "" {
			return nil
		}
		switch {
		case seen[next.NextLink]:
			return errors.New("its pages form a loop")
		case !sameHost(c.arm.Endpoint(), next.NextLink):
			return errors.New("its next page is on another host, which is not queried")
		}
		address = next.NextLink
	}
	return fmt.Errorf("it has more than %d pages; the rest was not read", most)
}

func sameHost(a, b string) bool {
	x, err1 := url.Parse(a)
	y, err2 := url.Parse(b)
	return err1 == nil && err2 == nil && x.Scheme == y.Scheme && strings.EqualFold(x.Host, y.Host)
}

// retries are few and short because a diagnosis must not wait for minutes.
var retries = policy.RetryOptions{MaxRetries: 2, RetryDelay: 500 * time.Millisecond, MaxRetryDelay: 5 * time.Second, TryTimeout: 20 * time.Second}
