package azure

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/cloud"
)

// Progress queries the status URL of the operation, or the target if the URL is unknown.
func (o *Operator) Progress(ctx context.Context, op cloud.Operation) (cloud.Progress, error) {
	switch {
	case op.Status != "":
		return o.status(ctx, op)
	case op.Location != "":
		return o.result(ctx, op)
	}
	return o.own(ctx, op)
}

// status queries an Azure-AsyncOperation URL, which returns 200 also for failures.
func (o *Operator) status(ctx context.Context, op cloud.Operation) (cloud.Progress, error) {
	a, err := o.follow(ctx, op.Status)
	if err != nil {
		return cloud.Progress{}, err
	}
	if a.status == http.StatusNotFound { // Azure deletes operations after some time
		return o.own(ctx, op)
	}
	if a.status != http.StatusOK {
		return cloud.Progress{}, a.refusal(false)
	}
	var s struct {
		Status  string  `json:"status"`
		Percent float64 `json:"percentComplete"`
	}
	if err := json.Unmarshal(a.body, &s); err != nil {
		return cloud.Progress{}, fmt.Errorf("read the state of the operation: %w", err)
	}
	p := cloud.Progress{State: state(s.Status), Percent: s.Percent, Wait: a.after()}
	if p.State == cloud.Failed || p.State == cloud.Canceled {
		p.Code, p.Message = innermost(a.body)
		p.Message = cut(p.Message)
	}
	return p, nil
}

// result queries a Location URL, which returns 202 until the result exists.
func (o *Operator) result(ctx context.Context, op cloud.Operation) (cloud.Progress, error) {
	a, err := o.follow(ctx, op.Location)
	switch {
	case err != nil:
		return cloud.Progress{}, err
	case a.status == http.StatusAccepted:
		return cloud.Progress{State: cloud.Running, Wait: a.after()}, nil
	case a.status == http.StatusOK || a.status == http.StatusNoContent || a.status == http.StatusCreated:
		return cloud.Progress{State: cloud.Succeeded}, nil
	case a.status == http.StatusTooManyRequests || a.status >= 500:
		return cloud.Progress{}, a.refusal(false)
	}
	p := cloud.Progress{State: cloud.Failed}
	p.Code, p.Message = innermost(a.body)
	return p, nil
}

// own queries the state of the target.
func (o *Operator) own(ctx context.Context, op cloud.Operation) (cloud.Progress, error) {
	a, err := o.get(ctx, op.Target)
	switch {
	case err != nil:
		return cloud.Progress{}, err
	case a.status == http.StatusNotFound && op.Gone:
		return cloud.Progress{State: cloud.Succeeded}, nil
	case a.status != http.StatusOK:
		return cloud.Progress{}, a.refusal(false)
	}
	var r struct {
		Properties struct {
			Provisioning string          `json:"provisioningState"`
			Status       json.RawMessage `json:"status"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(a.body, &r); err != nil {
		return cloud.Progress{}, fmt.Errorf("read the state of %s: %w", op.Target, err)
	}
	p := cloud.Progress{State: state(r.Properties.Provisioning), Wait: a.after()}
	if p.State == cloud.Failed {
		var status struct {
			Error json.RawMessage `json:"provisioningError"`
		}
		_ = json.Unmarshal(r.Properties.Status, &status)
		p.Code, p.Message = innermost(status.Error)
		p.Message = cut(p.Message)
	}
	return p, nil
}

func (o *Operator) follow(ctx context.Context, address string) (*answered, error) {
	if !sameHost(o.reads.Endpoint(), address) {
		return nil, fmt.Errorf("read the operation: its address is on another host, which is not queried")
	}
	return o.ask(ctx, o.reads, http.MethodGet, address, nil, nil)
}

// state maps the state of an operation or resource. The set of states is open: an unknown state means running.
func state(s string) cloud.State {
	switch strings.ToLower(s) {
	case "succeeded":
		return cloud.Succeeded
	case "failed":
		return cloud.Failed
	case "canceled", "cancelled":
		return cloud.Canceled
	}
	return cloud.Running
}

// Sent searches the mark of the change in the activity log, which has a delay of some minutes.
func (o *Operator) Sent(ctx context.Context, c cloud.Change, since time.Time) (cloud.Trace, error) {
	t, ok := parseTarget(c.Target)
	if !ok || c.Mark == "" {
		return cloud.Trace{}, fmt.Errorf("find a change of %s: it has no mark", cut(c.Target))
	}
	log := client{arm: o.reads}
	filter := fmt.Sprintf("eventTimestamp ge '%s' and eventTimestamp le '%s' and correlationId eq '%s'",
		since.Add(-5*time.Minute).UTC().Format(time.RFC3339), time.Now().Add(5*time.Minute).UTC().Format(time.RFC3339), c.Mark)
	address := log.address("/subscriptions/"+t.subscription+"/providers/Microsoft.Insights/eventtypes/management/values", activityVersion, "$filter", filter)
	var trace cloud.Trace
	var last time.Time
	err := log.list(ctx, address, maxPages, func(page []byte) {
		var list struct {
			Value []struct {
				Mark   string    `json:"correlationId"`
				At     time.Time `json:"eventTimestamp"`
				Status struct {
					Value string `json:"value"`
				} `json:"status"`
			} `json:"value"`
		}
		_ = json.Unmarshal(page, &list)
		for _, e := range list.Value {
			if strings.EqualFold(e.Mark, c.Mark) && !e.At.Before(last) {
				trace, last = cloud.Trace{Seen: true, State: state(e.Status.Value)}, e.At
			}
		}
	})
	if err != nil {
		return cloud.Trace{}, fmt.Errorf("find a change of %s in the activity log: %w", t.id, err)
	}
	return trace, nil
}
