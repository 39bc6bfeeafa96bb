package execute

import (
	"fmt"
	"time"

	"github.com/nodetriage/nodetriage/answers/drain"
)

// Describe logs the steps of a plan. It sends no requests.
func Describe(p *drain.Plan, log func(Entry)) {
	would := func(do, kind, name, why string) {
		log(Entry{At: time.Now().UTC(), Do: do, Kind: kind, Name: name, Result: Would, Why: why})
	}
	for _, n := range p.Nodes {
		would("cordon", "Node", n, "")
	}
	for _, b := range p.Suspend {
		would("suspend", "PodDisruptionBudget", b, "")
	}
	for _, s := range p.Surges {
		would("surge", "Deployment", s.Namespace+"/"+s.Name, "")
	}
	for i := range p.Pods {
		if pod := &p.Pods[i]; pod.Action == drain.Evict {
			would("evict", "Pod", pod.Key(), fmt.Sprintf("wave %d", pod.Wave))
		}
	}
	for _, s := range p.Surges {
		would("scale back", "Deployment", s.Namespace+"/"+s.Name, "")
	}
	for _, b := range p.Suspend {
		would("restore", "PodDisruptionBudget", b, "")
	}
}
