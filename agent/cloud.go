package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
	"github.com/nodetriage/nodetriage/wording"
)

// metadata is the metadata endpoint of all three clouds.
const metadata = "http://169.254.169.254"

// azureTag is the asset tag of Azure machines.
const azureTag = "7783-7084-3265-9085-8269-3286-77"

// cloud queries the instance metadata and announced events of the cloud that the firmware identifies.
func cloud(ctx context.Context, h *Host, r *nodereport.Report) error {
	c := &nodereport.Cloud{}
	ask := map[string]func(context.Context, *Host, *nodereport.Cloud) (reply, error){"azure": azure, "aws": aws, "gcp": gcp}
	if c.Provider = h.provider(); c.Provider == "" {
		if _, err := h.list("/sys/class/dmi/id"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil // not a cloud machine
	}
	first, err := ask[c.Provider](ctx, h, c)
	first.Peer, first.Tool = "metadata", "http"
	r.Connections = append(r.Connections, first.Connection)
	if first.Answer == "ok" && first.Status == http.StatusOK {
		c.Ref = first.Ref
		r.Cloud = c
	}
	return err
}

// provider returns the cloud from the firmware data.
func (h *Host) provider() string {
	dmi := func(name string) string { return h.text("/sys/class/dmi/id/" + name) }
	switch {
	case dmi("chassis_asset_tag") == azureTag:
		return "azure"
	case strings.HasPrefix(dmi("sys_vendor"), "Amazon EC2"), strings.HasPrefix(dmi("bios_vendor"), "Amazon EC2"):
		return "aws"
	case dmi("product_name") == "Google Compute Engine":
		return "gcp"
	}
	return ""
}

// azure reads the instance and its scheduled events (learn.microsoft.com, Azure Instance Metadata Service and Scheduled
// Events for Linux).
func azure(ctx context.Context, h *Host, c *nodereport.Cloud) (reply, error) {
	header := http.Header{"Metadata": {"true"}}
	first := h.get(ctx, metadata+"/metadata/instance/compute?api-version=2021-02-01", header, nil)
	if first.Answer != "ok" || first.Status != http.StatusOK {
		return first, nil
	}
	var compute struct {
		ResourceID string `json:"resourceId"`
		VMSize     string `json:"vmSize"`
		Location   string `json:"location"`
		Zone       string `json:"zone"`
	}
	if err := json.Unmarshal([]byte(first.body), &compute); err != nil {
		return first, fmt.Errorf("read the instance's metadata: %w", err)
	}
	c.Instance, c.Size = wording.Cut(compute.ResourceID, 300), wording.Cut(compute.VMSize, 100)
	c.Zone = strings.Trim(wording.Cut(compute.Location, 100)+"-"+wording.Cut(compute.Zone, 10), "-")
	events := h.get(ctx, metadata+"/metadata/scheduledevents?api-version=2020-07-01", header, nil)
	if events.Answer != "ok" || events.Status != http.StatusOK {
		return first, fmt.Errorf("read the scheduled events: %s", events.Ref)
	}
	var list struct {
		Events []struct {
			EventType, EventStatus, NotBefore, Description string
		}
	}
	if err := json.Unmarshal([]byte(events.body), &list); err != nil {
		return first, fmt.Errorf("read the scheduled events: %w", err)
	}
	for _, e := range list.Events {
		at, _ := http.ParseTime(e.NotBefore)
		c.Events = append(c.Events, nodereport.CloudEvent{Kind: wording.Cut(e.EventType, 50), Status: wording.Cut(e.EventStatus, 50), Not: at.UTC(), Text: wording.Cut(e.Description, 300)})
	}
	return first, nil
}

// aws reads the instance, its spot interruption and its maintenance (EC2 user guide, instance metadata version 2).
func aws(ctx context.Context, h *Host, c *nodereport.Cloud) (reply, error) {
	token, err := h.awsToken(ctx)
	if err != nil {
		return reply{Connection: nodereport.Connection{Target: metadata, Answer: wordFor(err), Message: wording.Cut(bareURL(err).Error(), 300)}}, nil
	}
	header := http.Header{"X-Aws-Ec2-Metadata-Token": {token}}
	read := func(name string) reply { return h.get(ctx, metadata+"/latest/"+name, header, nil) }
	first := read("meta-data/instance-id")
	if first.Answer != "ok" || first.Status != http.StatusOK {
		return first, nil
	}
	c.Instance = wording.Cut(first.body, 100)
	if r := read("meta-data/instance-type"); r.Status == http.StatusOK {
		c.Size = wording.Cut(r.body, 100)
	}
	if r := read("meta-data/placement/availability-zone"); r.Status == http.StatusOK {
		c.Zone = wording.Cut(r.body, 100)
	}
	var action struct {
		Action string    `json:"action"`
		Time   time.Time `json:"time"`
	}
	if r := read("meta-data/spot/instance-action"); r.Status == http.StatusOK && json.Unmarshal([]byte(r.body), &action) == nil {
		c.Events = append(c.Events, nodereport.CloudEvent{Kind: "Preempt", Status: "Scheduled", Not: action.Time.UTC(), Text: wording.Cut(action.Action, 50)})
	}
	var plans []struct {
		Code, State, Description, NotBefore string
	}
	r := read("meta-data/events/maintenance/scheduled")
	if r.Status == http.StatusOK && json.Unmarshal([]byte(r.body), &plans) == nil {
		for _, p := range plans {
			at, _ := time.Parse("2 Jan 2006 15:04:05 MST", p.NotBefore)
			c.Events = append(c.Events, nodereport.CloudEvent{Kind: wording.Cut(p.Code, 50), Status: wording.Cut(p.State, 50), Not: at.UTC(), Text: wording.Cut(p.Description, 300)})
		}
	}
	return first, nil
}

// awsToken starts a session of one minute. Version 2 of the service requires it.
func (h *Host) awsToken(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, h.timeouts.ask)
	defer cancel()
	response, err := h.request(ctx, http.MethodPut, metadata+"/latest/api/token", http.Header{"X-Aws-Ec2-Metadata-Token-Ttl-Seconds": {"60"}}, nil)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, 1024))
	return strings.TrimSpace(string(data)), err
}

// gcp reads the instance and its maintenance (Compute Engine documentation, VM metadata).
func gcp(ctx context.Context, h *Host, c *nodereport.Cloud) (reply, error) {
	header := http.Header{"Metadata-Flavor": {"Google"}}
	read := func(name string) reply { return h.get(ctx, metadata+"/computeMetadata/v1/instance/"+name, header, nil) }
	first := read("name")
	if first.Answer != "ok" || first.Status != http.StatusOK {
		return first, nil
	}
	c.Instance = wording.Cut(first.body, 100)
	last := func(s string) string { return wording.Cut(s[strings.LastIndexByte(s, '/')+1:], 100) }
	if r := read("machine-type"); r.Status == http.StatusOK {
		c.Size = last(r.body)
	}
	if r := read("zone"); r.Status == http.StatusOK {
		c.Zone = last(r.body)
	}
	if r := read("preempted"); r.Status == http.StatusOK && r.body == "TRUE" {
		c.Events = append(c.Events, nodereport.CloudEvent{Kind: "Preempt", Status: "Started"})
	}
	if r := read("maintenance-event"); r.Status == http.StatusOK && r.body != "NONE" {
		c.Events = append(c.Events, nodereport.CloudEvent{Kind: wording.Cut(r.body, 50), Status: "Started"})
	}
	return first, nil
}
