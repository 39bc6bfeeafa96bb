package predict

import (
	"cmp"
	"slices"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/mechanics"
)

// Jobs (kubernetes pkg/controller/job/job_controller.go and backoff_utils.go, v1.36.3): a pod counts as failed when its
// deletion is requested, or, with podReplacementPolicy Failed, when it has terminated. A new one is created 10 s after the last
// pod's end at the earliest, and twice as long after each further failure. The end of a pod is that of its containers, else
// when it stopped being ready, which for a lost node is long before its deletion.
const (
	jobBackoff     = 10 * time.Second
	jobBackoffMost = 10 * time.Minute
	jobSync        = time.Second // a Job processes its pods in batches
)

// failure is a failed pod of a Job.
type failure struct {
	outcome        *outcome
	counted, ended time.Duration
}

// replaceJobs replaces the pods of all Jobs, in one run.
func (sim *simulation) replaceJobs(x extremes, outcomes map[*evidence.Pod]*outcome) {
	failed := map[evidence.Subject][]failure{}
	jobs := map[evidence.Subject]*evidence.Workload{}
	var order []evidence.Subject
	for _, p := range sim.pods {
		o := outcomes[p]
		if mechanics.Replaces(p) != mechanics.WhenFailed || p.Finished() || o.deleted == never && o.failed == never {
			continue
		}
		key, job := evidence.Subject{Kind: "Job", Namespace: p.Namespace, Name: p.Owner.Name}, sim.snap.OwnerOf(p)
		if failed[key] == nil {
			order, jobs[key] = append(order, key), job
		}
		o.kind = Created
		f := failure{outcome: o, counted: min(o.deleted, o.failed)}
		if job != nil && job.PodReplacement == "Failed" {
			f.counted = min(o.ended, o.failed)
		}
		switch {
		case o.failed <= f.counted, f.counted > o.deleted && o.goneBy == byKubelet:
			f.ended = f.counted // its containers have terminated
		case o.unready < f.counted:
			f.ended = o.unready
		default:
			f.ended = o.deleted
		}
		failed[key] = append(failed[key], f)
	}
	for _, key := range order {
		replaceJob(jobs[key], failed[key], x)
	}
}

// replaceJob simulates the failures of one Job. Failures that are counted during a backoff wait together.
func replaceJob(job *evidence.Workload, failed []failure, x extremes) {
	slices.SortStableFunc(failed, func(a, b failure) int { return cmp.Compare(a.counted, b.counted) })
	failures, before := 0, 0
	if job != nil {
		before = job.Failed
	}
	if x.late {
		failures = before // the controller counts them until a pod succeeds
	}
	var waiting []*outcome
	turn, ended, synced := never, always, never
	release := func() {
		for _, o := range waiting {
			o.replaced = turn
		}
		waiting = nil
	}
	for i, f := range failed {
		if f.counted == never {
			break
		}
		if max(turn, synced) <= f.counted {
			release()
		}
		failures, ended, synced = failures+1, max(ended, f.ended), f.counted+jobSync
		waiting = append(waiting, f.outcome)
		turn = max(f.counted+pick(x.late, 0, jobSync+apiLag), ended+backoff(failures)+pick(x.late, -secondsOfAPI, jobSync))
		if job != nil && job.BackoffLimit != nil && before+i+1 > int(*job.BackoffLimit) {
			for _, o := range waiting {
				o.kind = None
			}
			for _, later := range failed[i:] {
				later.outcome.kind = None
			}
			return
		}
	}
	release()
}

func backoff(failures int) time.Duration {
	d := jobBackoff
	for range failures - 1 {
		if d *= 2; d >= jobBackoffMost {
			return jobBackoffMost
		}
	}
	return d
}
