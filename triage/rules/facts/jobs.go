package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// UnitsAndQueued returns the units of a report, and units for which it only shows a job.
func UnitsAndQueued(r *nodereport.Report) []nodereport.Unit {
	out := slices.Clone(r.Units)
	if r.Queue == nil {
		return out
	}
	for _, j := range r.Queue.Jobs {
		if !slices.ContainsFunc(out, func(u nodereport.Unit) bool { return u.Name == j.Unit }) {
			out = append(out, nodereport.Unit{Name: j.Unit})
		}
	}
	return out
}

// JobOf returns the systemd job of the unit; nil: none, or jobs were not read.
func JobOf(r *nodereport.Report, unit string) *nodereport.Job {
	if r.Queue == nil {
		return nil
	}
	i := slices.IndexFunc(r.Queue.Jobs, func(j nodereport.Job) bool { return j.Unit == unit })
	if i < 0 {
		return nil
	}
	return &r.Queue.Jobs[i]
}

// Awaited returns the units with running jobs at the end of the chain that the job waits for. If the order is unknown, it returns
// all units that are starting.
func Awaited(q *nodereport.Queue, job *nodereport.Job) (units []string, told bool) {
	reached := slices.Clone(job.After)
	for i := 0; i < len(reached); i++ {
		for _, j := range q.Jobs {
			if j.Unit != reached[i] {
				continue
			}
			if j.State == "running" {
				units = append(units, j.Unit)
			}
			for _, next := range j.After {
				if !slices.Contains(reached, next) {
					reached = append(reached, next)
				}
			}
		}
	}
	if len(job.After) > 0 {
		return units, true
	}
	for _, j := range q.Jobs {
		if j.State == "running" && j.Type == "start" {
			units = append(units, j.Unit)
		}
	}
	return units, false
}
