package azure

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/arm"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"

	"github.com/nodetriage/nodetriage/cloud"
)

// Operator changes clusters, pools and machines. It never retries a change: after a broken connection the caller first
// checks whether the change arrived.
type Operator struct {
	reads, writes *arm.Client
}

// once disables retries for changes.
var once = policy.RetryOptions{MaxRetries: -1, TryTimeout: time.Minute}

// NewOperator returns an Operator. It sends no requests.
func NewOperator(o Options) (*Operator, error) {
	reads, err := connect(o, retries)
	if err != nil {
		return nil, err
	}
	writes, err := connect(o, once)
	if err != nil {
		return nil, err
	}
	return &Operator{reads: reads, writes: writes}, nil
}

// Begin sends the change.
func (o *Operator) Begin(ctx context.Context, c cloud.Change) (cloud.Operation, error) {
	r, err := requestOf(c)
	if err != nil {
		return cloud.Operation{}, err
	}
	var tag string
	if r.body, tag, err = o.last(ctx, c, r.body); err != nil {
		return cloud.Operation{}, err
	}
	head := http.Header{}
	switch {
	case c.Verb == cloud.AddPool:
		head.Set("If-None-Match", "*")
	case tag != "" && r.method != http.MethodPost:
		head.Set("If-Match", tag)
	}
	// Activity log entries contain the correlation ID of their request.
	head.Set("x-ms-correlation-request-id", c.Mark)
	a, err := o.send(ctx, o.writes, r, head)
	if err != nil {
		return cloud.Operation{}, err
	}
	op := cloud.Operation{Status: a.head.Get("Azure-AsyncOperation"), Location: a.head.Get("Location"), Target: c.Target, Gone: c.Verb == cloud.DeletePool}
	for _, address := range []*string{&op.Status, &op.Location} {
		if *address != "" && !sameHost(o.reads.Endpoint(), *address) {
			*address = "" // a request there would send the token
		}
	}
	return op, nil
}

// last reads the target again, and rejects the change if the target is not the inspected version. It returns the body
// to send and the ETag.
func (o *Operator) last(ctx context.Context, c cloud.Change, body any) (any, string, error) {
	read := c.Target
	if c.Verb == cloud.AddPool {
		read = c.Like
		if err := o.free(ctx, c.Target); err != nil {
			return nil, "", err
		}
	}
	a, err := o.get(ctx, read)
	if err != nil {
		return nil, "", err
	}
	if a.status != http.StatusOK {
		return nil, "", a.refusal(false)
	}
	if t, _ := parseTarget(read); t.cluster == "" {
		return body, "", sameMachine(read, a.body, c)
	}
	var m answeredUnit
	if err := json.Unmarshal(a.body, &m); err != nil {
		return nil, "", fmt.Errorf("read %s: %w", read, err)
	}
	u := m.unit("")
	if err := sameUnit(u, c); err != nil {
		return nil, "", err
	}
	switch c.Verb {
	case cloud.Abort:
		return nil, "", nil // its version changes while it runs
	case cloud.Reconcile: // raw JSON, so no field is lost
		return json.RawMessage(a.body), u.Version, nil
	case cloud.ScalePool, cloud.AddPool:
		out, err := withCount(a.body, c)
		return out, u.Version, err
	}
	return body, u.Version, nil
}

// free returns an error unless no pool has the ID.
func (o *Operator) free(ctx context.Context, id string) error {
	a, err := o.get(ctx, id)
	switch {
	case err != nil:
		return err
	case a.status == http.StatusOK:
		return &cloud.Refusal{Reason: cloud.Changed, Message: "a pool with this name already exists"}
	case a.status != http.StatusNotFound:
		return a.refusal(false)
	}
	return nil
}

// sameMachine returns an error unless a VM is the inspected version.
func sameMachine(id string, answer []byte, c cloud.Change) error {
	var vm virtual
	if err := json.Unmarshal(answer, &vm); err != nil {
		return fmt.Errorf("read %s: %w", id, err)
	}
	if c.Version != "" && vm.version() != c.Version {
		return &cloud.Refusal{Reason: cloud.Changed, Message: fmt.Sprintf("the VM has changed since it was read (%s then, %s now)", c.Version, vm.version())}
	}
	return nil
}

// sameUnit returns an error unless a cluster or pool is the inspected version and can be changed now.
func sameUnit(u cloud.Unit, c cloud.Change) error {
	switch {
	case c.Verb == cloud.Abort && u.Settled():
		return &cloud.Refusal{Reason: cloud.Changed, Message: "the operation has ended: the state is " + u.Provisioning}
	case c.Verb == cloud.Abort:
		return nil
	case !u.Settled():
		return &cloud.Refusal{Reason: cloud.Busy, Message: "an operation is in progress: the state is " + u.Provisioning}
	case c.Version != "" && u.Version != c.Version:
		return &cloud.Refusal{Reason: cloud.Changed, Message: "it has changed since it was read"}
	}
	return nil
}

// ofOnePool are read-only or pool-specific fields that a copy of a pool omits.
var ofOnePool = []string{"provisioningState", "powerState", "status", "nodeImageVersion", "currentOrchestratorVersion", "eTag"}

// withCount returns the JSON of a pool with another count and all other fields unchanged. A copy omits pool-specific
// fields and applies c.Own. Numbers keep their digits.
func withCount(raw []byte, c cloud.Change) (json.RawMessage, error) {
	count, fresh := c.Count, c.Verb == cloud.AddPool
	var pool map[string]json.RawMessage
	var p map[string]json.RawMessage
	err := json.Unmarshal(raw, &pool)
	if err == nil {
		err = json.Unmarshal(pool["properties"], &p)
	}
	if err != nil {
		return nil, fmt.Errorf("read a pool: %w", err)
	}
	p["count"] = json.RawMessage(strconv.Itoa(count))
	if fresh {
		for _, k := range ofOnePool {
			delete(p, k)
		}
		for _, k := range []string{"id", "name", "type", "eTag"} {
			delete(pool, k)
		}
		// The count must be within the bounds of the autoscaler.
		var most int
		if json.Unmarshal(p["maxCount"], &most) == nil && count > most {
			p["maxCount"] = p["count"]
		}
		var least int
		if json.Unmarshal(p["minCount"], &least) == nil && count < least {
			p["minCount"] = p["count"]
		}
	}
	if err := own(p, c.Own); err != nil {
		return nil, err
	}
	if pool["properties"], err = json.Marshal(p); err != nil {
		return nil, fmt.Errorf("write a pool: %w", err)
	}
	return json.Marshal(pool)
}

// own applies the custom properties to a pool.
func own(p map[string]json.RawMessage, o cloud.Own) error {
	var size any
	if o.Size != "" {
		size = o.Size
	}
	labels, taints := map[string]any{}, []string{}
	_ = json.Unmarshal(p["nodeLabels"], &labels) // null if there are none
	_ = json.Unmarshal(p["nodeTaints"], &taints)
	for _, l := range list(o.Labels) {
		key, value, _ := strings.Cut(l, "=")
		labels[key] = value
	}
	for _, t := range list(o.Taints) {
		taints = append(slices.DeleteFunc(taints, func(old string) bool { return keyAndEffect(old) == keyAndEffect(t) }), t)
	}
	for _, f := range []struct {
		property string
		value    any
		asked    bool
	}{{"vmSize", size, o.Size != ""}, {"nodeLabels", labels, o.Labels != ""}, {"nodeTaints", taints, o.Taints != ""}} {
		if !f.asked {
			continue
		}
		raw, err := json.Marshal(f.value)
		if err != nil {
			return fmt.Errorf("write a pool: %w", err)
		}
		p[f.property] = raw
	}
	return nil
}

func list(joined string) []string {
	return strings.FieldsFunc(joined, func(r rune) bool { return r == ',' })
}

// keyAndEffect returns the identity of a node taint.
func keyAndEffect(taint string) string {
	key, effect, _ := strings.Cut(taint, ":")
	key, _, _ = strings.Cut(key, "=")
	return key + ":" + effect
}

// answered is a response with any status.
type answered struct {
	status int
	head   http.Header
	body   []byte
}

func (o *Operator) get(ctx context.Context, id string) (*answered, error) {
	version, query := aksVersion, []string{}
	if t, ok := parseTarget(id); !ok {
		return nil, fmt.Errorf("read %s: this is not a cluster, pool or VM", cut(id))
	} else if t.cluster == "" {
		version, query = computeVersion, []string{"$expand", "instanceView"}
	}
	c := client{arm: o.reads}
	return o.ask(ctx, o.reads, http.MethodGet, c.address(id, version, query...), nil, nil)
}

// send sends a change. Without a response the result is unknown.
func (o *Operator) send(ctx context.Context, by *arm.Client, r request, head http.Header) (*answered, error) {
	var body []byte
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return nil, fmt.Errorf("write a request: %w", err)
		}
	}
	c := client{arm: by}
	a, err := o.ask(ctx, by, r.method, c.address(r.path(), r.version), body, head)
	if err != nil {
		var auth interface{ NonRetriable() }
		if errors.As(err, &auth) { // there is no login, so nothing was sent
			return nil, fmt.Errorf("%s %s: %w", r.method, r.path(), err)
		}
		return nil, &cloud.Refusal{Reason: cloud.Unanswered, Message: fmt.Sprintf("%s %s was sent, but there was no response: %v", r.method, r.path(), err)}
	}
	if a.status < 200 || a.status > 204 {
		return nil, a.refusal(true)
	}
	return a, nil
}

func (o *Operator) ask(ctx context.Context, by *arm.Client, method, address string, body []byte, head http.Header) (*answered, error) {
	req, err := runtime.NewRequest(ctx, method, address)
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	for k := range head {
		req.Raw().Header.Set(k, head.Get(k))
	}
	req.Raw().Header.Set("Accept", "application/json")
	if body != nil {
		if err := req.SetBody(streaming.NopCloser(bytes.NewReader(body)), "application/json"); err != nil {
			return nil, fmt.Errorf("make a request: %w", err)
		}
	}
	runtime.SkipBodyDownload(req)
	resp, err := by.Pipeline().Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	a := &answered{status: resp.StatusCode, head: resp.Header}
	if a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer)); err != nil && method == http.MethodGet {
		return nil, fmt.Errorf("the response was interrupted: %w", err)
	}
	return a, nil // an accepted change is accepted even if the body cannot be read
}

// refusal returns the error of the response. A 5xx to a change leaves open whether it started.
func (a *answered) refusal(change bool) error {
	code, message := innermost(a.body)
	r := &cloud.Refusal{Reason: cloud.Invalid, Status: a.status, Code: code, Message: cut(message), After: a.after()}
	switch {
	case a.status == http.StatusTooManyRequests:
		r.Reason = cloud.Throttled
	case a.status == http.StatusPreconditionFailed:
		r.Reason = cloud.Changed
	case strings.Contains(code, "ScopeLocked"), a.status == http.StatusForbidden, a.status == http.StatusUnauthorized, code == "RequestDisallowedByPolicy":
		r.Reason = cloud.Forbidden
	case a.status == http.StatusConflict:
		r.Reason = cloud.Busy
	case a.status == http.StatusNotFound:
		r.Reason = cloud.Missing
	case a.status >= 500 && change:
		r.Reason = cloud.Unanswered
	}
	return r
}

// after returns the Retry-After of the response.
func (a *answered) after() time.Duration {
	word := a.head.Get("Retry-After")
	if n, err := strconv.Atoi(word); err == nil && n > 0 {
		return time.Duration(min(n, 3600)) * time.Second
	}
	if at, err := http.ParseTime(word); err == nil {
		return min(max(time.Until(at), 0), time.Hour)
	}
	return 0
}

// innermost returns the deepest code of an error body with its message.
func innermost(body []byte) (code, message string) {
	type failure struct {
		Code    string          `json:"code"`
		Message string          `json:"message"`
		Error   json.RawMessage `json:"error"`
		Details json.RawMessage `json:"details"`
	}
	for range 10 { // deeper than any known error
		var f failure
		if json.Unmarshal(body, &f) != nil {
			return code, message
		}
		if f.Code != "" {
			code = f.Code
			if f.Message != "" {
				message = f.Message
			}
		}
		var list []json.RawMessage
		switch {
		case len(f.Error) > 0 && string(f.Error) != "null":
			body = f.Error
		case json.Unmarshal(f.Details, &list) == nil && len(list) > 0:
			body = list[0]
		default:
			return code, message
		}
	}
	return code, message
}
