package kubelets

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/wording"
)

// summaryPod is one pod of /stats/summary, without its containers and volumes, which are most of the data.
type summaryPod struct {
	Ref struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"podRef"`
	CPU struct {
		Usage *uint64 `json:"usageNanoCores"`
	} `json:"cpu"`
	Memory struct {
		WorkingSet *uint64 `json:"workingSetBytes"`
	} `json:"memory"`
}

// usage returns the usage of the pod; nil if the kubelet has no sample yet.
func (p *summaryPod) usage() *evidence.PodUsage {
	if p.Ref.Name == "" || p.CPU.Usage == nil || p.Memory.WorkingSet == nil {
		return nil
	}
	return &evidence.PodUsage{
		Namespace: wording.Cut(p.Ref.Namespace, maxText), Name: wording.Cut(p.Ref.Name, maxText), From: "kubelet",
		CPU: int64(*p.CPU.Usage / 1_000_000), Memory: int64(*p.Memory.WorkingSet),
	}
}

// maxSummaryPods bounds the pods of one node.
const maxSummaryPods = 2000

// ReadSummary reads the usage of the node and of its pods, pod by pod. The node part comes first; truncated pods are left out.
func ReadSummary(r io.Reader) (stats *evidence.KubeletStats, pods []*evidence.PodUsage, err error) {
	dec := json.NewDecoder(r)
	if _, err := dec.Token(); err != nil {
		return nil, nil, fmt.Errorf("read kubelet summary: %w", err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err == nil {
			switch key {
			case "node":
				var n summaryNode
				if err = dec.Decode(&n); err == nil {
					stats = n.stats()
				}
			case "pods":
				pods, err = readPods(dec)
			default:
				var skipped json.RawMessage
				err = dec.Decode(&skipped)
			}
		}
		switch {
		case err != nil && stats != nil:
			return stats, pods, nil
		case err != nil:
			return nil, nil, fmt.Errorf("read kubelet summary: %w", err)
		}
	}
	if stats == nil {
		return nil, nil, fmt.Errorf("read kubelet summary: it contains no node")
	}
	return stats, pods, nil
}

func readPods(dec *json.Decoder) (pods []*evidence.PodUsage, err error) {
	if open, err := dec.Token(); err != nil || open != json.Delim('[') {
		return nil, err
	}
	for dec.More() {
		var p summaryPod
		if err := dec.Decode(&p); err != nil {
			return pods, err
		}
		if u := p.usage(); u != nil && len(pods) < maxSummaryPods {
			pods = append(pods, u)
		}
	}
	_, err = dec.Token()
	return pods, err
}
