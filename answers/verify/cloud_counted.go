package verify

import (
	"fmt"
	"strings"

	"github.com/nodetriage/nodetriage/cloud/advice"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
)

// counted returns the step of a machine that was not read separately, because its scale set is too large. The set counts its
// machines by state. If all are healthy, this one is. Its node shows that it is running.
func (j *judge) counted(id string) (Step, bool) {
	set := id[:max(0, strings.LastIndex(strings.ToLower(id), "/virtualmachines/"))]
	var view *evidence.CloudSet
	capacity := -1
	for _, r := range evidence.CloudOf[*evidence.CloudSet](j.Snapshot.Data()) {
		if !strings.EqualFold(r.ID, set) {
			continue
		}
		if r.Capacity.Known {
			capacity = r.Capacity.Value
		}
		if r.States != nil {
			view = r
		}
	}
	if view == nil {
		return Step{}, false
	}
	s := Step{ID: "machine", Title: "VM", How: shell.Format("nodetriage verify {node}, which reads the VM", j.Node)}
	all, bad, busy := view.Counted(), 0, 0
	for stage, n := range view.States {
		switch {
		case stage == evidence.StageDone:
		case ended(stage):
			bad += n
		default:
			busy += n
		}
	}
	switch {
	case bad > 0:
		s.Result, s.Detail = NotClear, fmt.Sprintf("%d of the %d VMs of its scale set failed, and it was not read which ones", bad, all)
		s.How = advice.Default.Command(advice.ShowUnfinished, view.Name)
	case busy > 0:
		s.Result, s.Detail, s.Soon = Unknown, fmt.Sprintf("operations are in progress on %d of the %d VMs of its scale set", busy, all), true
	case all != capacity:
		s.Result, s.Detail = Unknown, fmt.Sprintf("its scale set reports the states of %d VMs, but its capacity differs or was not read", all)
	default:
		s.Result, s.Detail, s.How = Clear, fmt.Sprintf("its scale set reports all %d VMs as Succeeded; the VM agent and model were not read", all), ""
	}
	return s, true
}
