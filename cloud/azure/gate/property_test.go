package gate

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

var (
	random = flag.Int("random", 200_000, "number of random requests")
	seed   = flag.Uint64("seed", 1, "seed of random requests")
)

// anyJudgement is healthy in half of the draws, so that no property holds only because nothing is ever healthy.
func anyJudgement(r *rand.Rand, now time.Time) Judgement {
	j := well(0)
	j.At = now.Add(-time.Duration(r.IntN(80)) * time.Second)
	if r.IntN(2) == 0 {
		return j
	}
	fact := func() evidence.Fact {
		return []evidence.Fact{evidence.True, evidence.True, evidence.False, evidence.Unknown}[r.IntN(4)]
	}
	j.Exists, j.Ready, j.Lease, j.System = fact(), fact(), fact(), fact()
	for range r.IntN(3) {
		certainty := []triage.Certainty{triage.Certain, triage.Likely}[r.IntN(2)]
		j.Faults = append(j.Faults, Fault{Cause: []string{"a", "b"}[r.IntN(2)], Certainty: certainty, Since: begin.Add(time.Duration(r.IntN(600)-300) * time.Second)})
	}
	if r.IntN(8) == 0 {
		j.At = time.Time{}
	}
	return j
}

// Properties of every answer to a node request:
//   - nothing is published for a request that is over;
//   - 30 s before the deadline, or at half of a short time, the answer is final;
//   - before that, True needs fresh evidence of all that makes a node healthy;
//   - False needs fresh evidence of a certain fault, or the owner's choice at the end;
//   - a fault that three old nodes have is never the reason of a False.
func TestProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 0))
	counts := map[string]int{}
	for range *random {
		request := nodeRequest(time.Duration(1+r.IntN(300)) * time.Second)
		request.Gated, request.Deleted = r.IntN(10) > 0, r.IntN(10) == 0
		now := begin.Add(time.Duration(r.IntN(400)-20) * time.Second)
		j := anyJudgement(r, now)
		var old []Judgement
		for range r.IntN(6) {
			old = append(old, anyJudgement(r, now))
		}
		choice := []Choice{"", Proceed, Stop}[r.IntN(3)]
		got := Node(request, j, old, now, choice)
		counts[string(got.Status)+" "+got.Reason]++
		if problem := broken(request, j, old, now, choice, got); problem != "" {
			t.Fatalf("seed %d: %s\nrequest %+v\njudgement %+v\nold %+v\nnow %s, choice %q\nanswer %+v", *seed, problem, request, j, old, now, choice, got)
		}
	}
	for _, want := range []string{
		" ", "True " + Healthy, "True " + NoFaultProven, "False " + CertainFault, "False " + NotProvenHealthy, "Unknown " + NodeNotFound, "Unknown " + NodeNotReady,
		"Unknown " + HeartbeatOverdue, "Unknown " + SystemPodNotReady, "Unknown " + FaultSuspected, "Unknown " + FaultShared, "Unknown " + EvidenceStale,
	} {
		if counts[want] == 0 {
			t.Errorf("no random request was answered with %q: %v", want, counts)
		}
	}
}

// broken returns the property that does not hold, or "".
func broken(r Request, j Judgement, old []Judgement, now time.Time, choice Choice, got Answer) string {
	over := r.Deleted || !r.Gated || !now.Before(r.Begun.Add(r.Timeout))
	last := now.Add(min(30*time.Second, r.Timeout/2)).Compare(r.Begun.Add(r.Timeout)) >= 0
	fresh := !j.At.IsZero() && now.Sub(j.At) <= time.Minute && !j.At.Before(r.Begun)
	certain, any, shared := false, false, map[string]int{}
	for _, o := range old {
		for cause := range certainCauses(o) {
			shared[cause]++
		}
	}
	for _, f := range j.Faults {
		if f.Since.Before(j.Booted) && j.Ready == evidence.True {
			continue
		}
		any = true
		certain = certain || f.Certainty == triage.Certain && shared[f.Cause] < 3
	}
	healthy := fresh && !any && j.Exists == evidence.True && j.Ready == evidence.True && j.Lease == evidence.True && j.System == evidence.True
	switch {
	case over:
		return when(got.Status != "", "a request that is over was answered")
	case got.Status == "":
		return "a request was not answered"
	case last && !got.Final():
		return "the last moment has no final answer"
	case fresh && certain && got.Reason != CertainFault:
		return "a certain fault is not the reason of a False"
	case healthy && got.Reason != Healthy:
		return "a healthy node is not called healthy"
	case got.Status == metav1.ConditionTrue && !healthy:
		return when(!last || choice == Stop, "True without evidence of health")
	case got.Status == metav1.ConditionFalse && (!fresh || !certain):
		return when(!last || choice != Stop, "False without evidence of a certain fault")
	}
	return ""
}

func certainCauses(j Judgement) map[string]bool {
	out := map[string]bool{}
	for _, f := range j.Faults {
		if f.Certainty == triage.Certain {
			out[f.Cause] = true
		}
	}
	return out
}

func when(broken bool, what string) string {
	if broken {
		return what
	}
	return ""
}

// A False about a pool or the cluster needs three new nodes with one certain cause, an old node, and no old node with that cause.
func TestGroupProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 1))
	refused := 0
	for range *random / 4 {
		now := begin.Add(time.Minute)
		var fresh, old []Judgement
		for range r.IntN(8) {
			fresh = append(fresh, anyJudgement(r, now))
		}
		for range r.IntN(4) {
			old = append(old, anyJudgement(r, now))
		}
		got := Group(Request{Scope: health.NodePool, Begun: begin, Gated: true, Timeout: time.Minute}, fresh, old, now)
		if got.Status == metav1.ConditionTrue {
			t.Fatal("AKS does not wait for a pool: True says more than is known")
		}
		if got.Status != metav1.ConditionFalse {
			continue
		}
		refused++
		proven := false
		for _, cause := range []string{"a", "b"} {
			on, before := 0, 0
			for _, j := range fresh {
				if !j.stale(now) && certainCauses(j)[cause] {
					on++
				}
			}
			for _, j := range old {
				if !j.stale(now) && certainCauses(j)[cause] {
					before++
				}
			}
			proven = proven || on >= 3 && before == 0
		}
		if !proven || len(old) == 0 {
			t.Fatalf("seed %d: False without proof: %+v\nnew %+v\nold %+v", *seed, got, fresh, old)
		}
	}
	if refused == 0 {
		t.Error("no random pool was refused")
	}
}
