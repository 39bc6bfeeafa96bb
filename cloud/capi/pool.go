package capi

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/bounds"
	"github.com/nodetriage/nodetriage/wording"
)

const autoscaler = group + "/cluster-api-autoscaler-node-group-"

// pool decodes a MachineDeployment or a MachinePool.
func (o *object) pool(item evidence.CloudItem) *evidence.CloudPool {
	p := &evidence.CloudPool{
		CloudItem: item, Count: o.count("spec", "replicas"), Min: o.bound("min-size"), Max: o.bound("max-size"),
		Version:      strings.TrimPrefix(wording.Cut(o.text("spec", "template", "spec", "version"), maxName), "v"),
		DrainTimeout: o.drainTimeout(),
	}
	if p.Min.Known && p.Max.Known {
		p.Autoscaling = evidence.True
	}
	for _, rolling := range [][]string{{"spec", "strategy", "rollingUpdate"}, {"spec", "rollout", "strategy", "rollingUpdate"}} {
		if surge := numberOrShare(o.at(append(rolling, "maxSurge")...)); surge != "" {
			p.MaxSurge = surge
		}
		if out := numberOrShare(o.at(append(rolling, "maxUnavailable")...)); out != "" {
			p.MaxUnavailable = out
		}
	}
	return p
}

// bound returns the minimum or maximum size for the autoscaler, from an annotation.
func (o *object) bound(which string) evidence.CloudCount {
	n, err := strconv.Atoi(o.text("metadata", "annotations", autoscaler+which))
	if err != nil || n < 0 {
		return evidence.CloudCount{}
	}
	return evidence.CountOf(n)
}

// drainTimeout is a duration in v1beta1 and a number of seconds in v1beta2. 0 waits forever and counts as unknown.
func (o *object) drainTimeout() time.Duration {
	spec := []string{"spec", "template", "spec"}
	if d, err := time.ParseDuration(o.text(append(spec, "nodeDrainTimeout")...)); err == nil && d > 0 {
		return d
	}
	for _, at := range [][]string{{"nodeDrainTimeoutSeconds"}, {"deletion", "nodeDrainTimeoutSeconds"}} {
		if n := o.count(append(spec[:3:3], at...)...); n.Known {
			return bounds.Times(int64(n.Value), time.Second)
		}
	}
	return 0
}

// numberOrShare returns an integer or percentage as text.
func numberOrShare(v any) string {
	switch v := v.(type) {
	case string:
		return wording.Cut(v, maxName)
	case json.Number:
		return wording.Cut(v.String(), maxName)
	}
	return ""
}
