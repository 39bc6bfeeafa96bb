package facts

import (
	"slices"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// UnitsAndQueued are the units of a report, and those of which nothing is shown but a job.
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

// JobOf is what systemd was told to do with the unit; nil: nothing, or it was not asked.
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

// Awaited are the units at the end of the chain: those whose jobs run, while the job waits. Where the order was not told, they are all
// that start now.
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
