package agent

import (
	"cmp"
	"context"
	"slices"

	"github.com/godbus/dbus/v5"

	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

// maxJobs bounds the queue: a booting machine briefly has a hundred jobs. Jobs of kubelet and runtime, and running
// jobs, come first.
const maxJobs = 60

// busJob is a systemd job (org.freedesktop.systemd1(5), ListJobs and GetJobBefore).
type busJob struct {
	ID          uint32
	Unit        string
	Type, State string
	Job, Path   dbus.ObjectPath
}

// place returns the rank of a job. Jobs with the lowest ranks are kept.
func (j busJob) place() int {
	switch {
	case slices.Contains(startedUnits, j.Unit):
		return 0
	case j.State == "running":
		return 1
	}
	return 2
}

// jobs reads the queued jobs of systemd and their order dependencies. A unit whose start waits for another job is
// "inactive", like a stopped unit. Units that block jobs are added to the report.
func (b *bus) jobs(ctx context.Context, r *nodereport.Report) error {
	var all []busJob
	if err := b.manager.CallWithContext(ctx, "org.freedesktop.systemd1.Manager.ListJobs", 0).Store(&all); err != nil {
		return bad(ctx, err)
	}
	slices.SortStableFunc(all, func(a, b busJob) int { return cmp.Compare(a.place(), b.place()) })
	r.Queue = &nodereport.Queue{Jobs: []nodereport.Job{}}
	for _, j := range all[:min(len(all), maxJobs)] {
		told := nodereport.Job{Unit: j.Unit, Type: j.Type, State: j.State, Ref: j.Unit + ": " + j.Type + " " + j.State}
		var before []busJob
		// The method does not exist before systemd 236.
		if err := b.manager.CallWithContext(ctx, "org.freedesktop.systemd1.Manager.GetJobBefore", 0, j.ID).Store(&before); err == nil {
			for _, other := range before {
				told.After = append(told.After, other.Unit)
			}
			slices.Sort(told.After)
		}
		r.Queue.Jobs = append(r.Queue.Jobs, told)
		if j.State == "running" {
			if err := b.add(ctx, r, j.Unit); err != nil {
				return err
			}
		}
	}
	return nil
}

// lacking adds the failed units that a unit requires. systemd does not start the unit without them, and the state of
// the unit does not show that.
func (b *bus) lacking(ctx context.Context, r *nodereport.Report, v map[string]dbus.Variant) (names []string, err error) {
	for _, key := range []string{"Requires", "Requisite", "BindsTo"} {
		required, _ := v[key].Value().([]string)
		for _, name := range required {
			values, err := b.properties(ctx, name)
			if err != nil {
				return nil, err
			}
			if u := unitOf(name, values); u.Active == "failed" && !slices.Contains(names, name) {
				names = append(names, name)
				addUnit(r, u)
			}
		}
	}
	return names, nil
}

// add adds one unit to the report.
func (b *bus) add(ctx context.Context, r *nodereport.Report, name string) error {
	values, err := b.properties(ctx, name)
	if err == nil {
		addUnit(r, unitOf(name, values))
	}
	return err
}

func addUnit(r *nodereport.Report, u nodereport.Unit) {
	if !slices.ContainsFunc(r.Units, func(have nodereport.Unit) bool { return have.Name == u.Name }) {
		r.Units = append(r.Units, u)
	}
}
