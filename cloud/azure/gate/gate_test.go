package gate

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/cloud/azure/gate/health"
	"github.com/nodetriage/nodetriage/cloud/azure/gate/upgrade"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

var begin = time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)

func policy(provider string, rules ...upgrade.UpgradeGateRule) upgrade.UpgradeGatePolicy {
	return upgrade.UpgradeGatePolicy{Spec: upgrade.UpgradeGatePolicySpec{Provider: provider, Rules: rules}}
}

func rule(scope upgrade.Scope, pool, timeout string) upgrade.UpgradeGateRule {
	r := upgrade.UpgradeGateRule{Target: upgrade.UpgradeGateTarget{Scope: scope, Name: pool}}
	if timeout != "" {
		d := upgrade.Duration(timeout)
		r.NodeTimeout = &d
	}
	return r
}

func TestTimeout(t *testing.T) {
	const ours = "nodetriage.dev"
	for name, c := range map[string]struct {
		policies []upgrade.UpgradeGatePolicy
		pool     string
		want     time.Duration
		gated    bool
	}{
		"no policy":                        {nil, "user", upgrade.MaxTimeout, false},
		"the provider of somebody else":    {[]upgrade.UpgradeGatePolicy{policy("other.example.com", rule(upgrade.Cluster, "", "1m"))}, "user", upgrade.MaxTimeout, false},
		"omitted: the longest":             {[]upgrade.UpgradeGatePolicy{policy(ours, rule(upgrade.Cluster, "", ""))}, "user", upgrade.MaxTimeout, true},
		"longer than AKS allows: clamped":  {[]upgrade.UpgradeGatePolicy{policy(ours, rule(upgrade.Cluster, "", "1h"))}, "user", upgrade.MaxTimeout, true},
		"shorter":                          {[]upgrade.UpgradeGatePolicy{policy(ours, rule(upgrade.Cluster, "", "1m30s"))}, "user", 90 * time.Second, true},
		"the pool overrides the cluster":   {[]upgrade.UpgradeGatePolicy{policy(ours, rule(upgrade.Cluster, "", "2m"), rule(upgrade.NodePool, "user", "5m"))}, "user", 5 * time.Minute, true},
		"in any order":                     {[]upgrade.UpgradeGatePolicy{policy(ours, rule(upgrade.NodePool, "user", "5m"), rule(upgrade.Cluster, "", "2m"))}, "user", 5 * time.Minute, true},
		"another pool":                     {[]upgrade.UpgradeGatePolicy{policy(ours, rule(upgrade.Cluster, "", "2m"), rule(upgrade.NodePool, "user", "5m"))}, "system", 2 * time.Minute, true},
		"only another pool":                {[]upgrade.UpgradeGatePolicy{policy(ours, rule(upgrade.NodePool, "user", "5m"))}, "system", upgrade.MaxTimeout, false},
		"unknown pool: the shortest":       {[]upgrade.UpgradeGatePolicy{policy(ours, rule(upgrade.Cluster, "", "2m"), rule(upgrade.NodePool, "user", "1m"))}, "", time.Minute, true},
		"a second policy of ours":          {[]upgrade.UpgradeGatePolicy{policy(ours, rule(upgrade.Cluster, "", "4m")), policy(ours, rule(upgrade.Cluster, "", "3m"))}, "user", 3 * time.Minute, true},
		"a second policy of somebody else": {[]upgrade.UpgradeGatePolicy{policy(ours, rule(upgrade.Cluster, "", "4m")), policy("other", rule(upgrade.Cluster, "", "3m"))}, "user", 4 * time.Minute, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, gated := Timeout(c.policies, ours, c.pool)
			if got != c.want || gated != c.gated {
				t.Errorf("got %s, gated %t, want %s, %t", got, gated, c.want, c.gated)
			}
		})
	}
}

func nodeRequest(timeout time.Duration) Request {
	return Request{Scope: health.Node, Begun: begin, Gated: true, Timeout: timeout}
}

// well is a healthy node, judged at a time after the begin.
func well(after time.Duration) Judgement {
	return Judgement{
		At: begin.Add(after), Exists: evidence.True, Ready: evidence.True, Lease: evidence.True, System: evidence.True,
		Booted: begin.Add(-time.Minute),
	}
}

func with(j Judgement, f ...Fault) Judgement {
	j.Faults = append(j.Faults, f...)
	return j
}

func diskFull(c triage.Certainty, since time.Duration) Fault {
	return Fault{Cause: "disk-full", Summary: "the disk is full", Certainty: c, Since: begin.Add(since)}
}

func TestNode(t *testing.T) {
	const timeout = 5 * time.Minute
	missing := Judgement{At: begin, Exists: evidence.False}
	notReady := well(0)
	notReady.Ready = evidence.False
	late, pod := well(0), well(0)
	late.Lease = evidence.False
	pod.System, pod.Missing = evidence.False, "pod kube-system/cilium-x is not ready"
	unread := notReady
	unread.NotChecked = []string{"the kubelet's log"}
	full := func(after time.Duration) Judgement { return with(well(after), diskFull(triage.Certain, 0)) }
	for name, c := range map[string]struct {
		request Request
		judged  Judgement
		old     []Judgement
		after   time.Duration
		then    Choice
		status  metav1.ConditionStatus
		reason  string
		says    string
	}{
		"healthy":                                   {request: nodeRequest(timeout), judged: well(0), status: metav1.ConditionTrue, reason: Healthy},
		"a certain fault of now":                    {request: nodeRequest(timeout), judged: full(0), status: metav1.ConditionFalse, reason: CertainFault, says: "disk-full (certain): the disk is full"},
		"a likely fault waits":                      {request: nodeRequest(timeout), judged: with(well(0), diskFull(triage.Likely, 0)), status: metav1.ConditionUnknown, reason: FaultSuspected},
		"a fault that began before the boot":        {request: nodeRequest(timeout), judged: with(well(0), diskFull(triage.Certain, -time.Hour)), status: metav1.ConditionTrue, reason: Healthy},
		"of a node that has not been Ready since":   {request: nodeRequest(timeout), judged: with(notReady, diskFull(triage.Certain, -time.Hour)), status: metav1.ConditionFalse, reason: CertainFault},
		"the same fault on two old nodes":           {request: nodeRequest(timeout), judged: full(0), old: []Judgement{full(0), full(0), well(0)}, status: metav1.ConditionFalse, reason: CertainFault},
		"the same fault on three old nodes":         {request: nodeRequest(timeout), judged: full(0), old: []Judgement{full(0), full(0), full(0)}, status: metav1.ConditionUnknown, reason: FaultShared, says: "3 nodes"},
		"a node that does not exist":                {request: nodeRequest(timeout), judged: missing, status: metav1.ConditionUnknown, reason: NodeNotFound},
		"not Ready":                                 {request: nodeRequest(timeout), judged: notReady, status: metav1.ConditionUnknown, reason: NodeNotReady},
		"a late lease":                              {request: nodeRequest(timeout), judged: late, status: metav1.ConditionUnknown, reason: HeartbeatOverdue},
		"a system pod that does not run":            {request: nodeRequest(timeout), judged: pod, status: metav1.ConditionUnknown, reason: SystemPodNotReady, says: "cilium"},
		"no evidence":                               {request: nodeRequest(timeout), status: metav1.ConditionUnknown, reason: EvidenceStale},
		"old evidence of health":                    {request: nodeRequest(timeout), judged: well(0), after: MaxAge + time.Second, status: metav1.ConditionUnknown, reason: EvidenceStale},
		"evidence from before the request":          {request: nodeRequest(timeout), judged: well(-time.Second), status: metav1.ConditionUnknown, reason: EvidenceStale},
		"old evidence of a fault":                   {request: nodeRequest(timeout), judged: full(0), after: MaxAge + time.Second, status: metav1.ConditionUnknown, reason: EvidenceStale},
		"undecided a second before the last moment": {request: nodeRequest(timeout), judged: notReady, after: timeout - Margin - time.Second, status: metav1.ConditionUnknown},
		"undecided 30 s before the deadline":        {request: nodeRequest(timeout), judged: unread, after: timeout - Margin, status: metav1.ConditionTrue, reason: NoFaultProven},
		"the owner wants it to stop":                {request: nodeRequest(timeout), judged: unread, after: timeout - Margin, then: Stop, status: metav1.ConditionFalse, reason: NotProvenHealthy},
		"a certain fault at the last moment":        {request: nodeRequest(timeout), judged: full(timeout - Margin), after: timeout - Margin, status: metav1.ConditionFalse, reason: CertainFault},
		"older than its deadline":                   {request: nodeRequest(timeout), judged: full(timeout), after: timeout},
		"clamped: older than five minutes":          {request: nodeRequest(upgrade.MaxTimeout), judged: full(upgrade.MaxTimeout), after: upgrade.MaxTimeout},
		"a short timeout: at half of it":            {request: nodeRequest(20 * time.Second), judged: notReady, after: 10 * time.Second, status: metav1.ConditionTrue, reason: NoFaultProven},
		"deleted":                                   {request: Request{Scope: health.Node, Begun: begin, Gated: true, Timeout: timeout, Deleted: true}, judged: full(0)},
		"not gated, or forced before the request":   {request: Request{Scope: health.Node, Begun: begin, Timeout: timeout}, judged: full(0)},
	} {
		t.Run(name, func(t *testing.T) {
			got := Node(c.request, c.judged, c.old, begin.Add(c.after), c.then)
			if got.Status != c.status || c.reason != "" && got.Reason != c.reason || !strings.Contains(got.Message, c.says) {
				t.Errorf("got %s %s: %s", got.Status, got.Reason, got.Message)
			}
		})
	}
	if got := Node(nodeRequest(timeout), unread, nil, begin.Add(timeout-Margin), Proceed); !strings.Contains(got.Message, "not checked: the kubelet's log") {
		t.Errorf("the answer does not say what was not checked: %s", got.Message)
	}
}

func TestGroup(t *testing.T) {
	full, likely := with(well(0), diskFull(triage.Certain, 0)), with(well(0), diskFull(triage.Likely, 0))
	stale := full
	stale.At = begin.Add(-time.Hour)
	for name, c := range map[string]struct {
		fresh, old []Judgement
		status     metav1.ConditionStatus
	}{
		"three new nodes, no old one":      {[]Judgement{full, full, full}, []Judgement{well(0)}, metav1.ConditionFalse},
		"two new nodes":                    {[]Judgement{full, full, well(0)}, []Judgement{well(0)}, metav1.ConditionUnknown},
		"an old node has it, too":          {[]Judgement{full, full, full}, []Judgement{well(0), full}, metav1.ConditionUnknown},
		"an old node probably has it, too": {[]Judgement{full, full, full}, []Judgement{well(0), likely}, metav1.ConditionFalse},
		"likely":                           {[]Judgement{likely, likely, likely}, []Judgement{well(0)}, metav1.ConditionUnknown},
		"stale evidence":                   {[]Judgement{full, full, stale}, []Judgement{well(0)}, metav1.ConditionUnknown},
		"no old node left":                 {[]Judgement{full, full, full}, nil, metav1.ConditionUnknown},
		"healthy":                          {[]Judgement{well(0)}, []Judgement{well(0)}, metav1.ConditionUnknown},
	} {
		for _, scope := range []health.Scope{health.NodePool, health.Cluster} {
			t.Run(name+" "+string(scope), func(t *testing.T) {
				got := Group(Request{Scope: scope, Begun: begin, Gated: true, Timeout: time.Minute}, c.fresh, c.old, begin)
				if got.Status != c.status {
					t.Errorf("got %s %s: %s", got.Status, got.Reason, got.Message)
				}
			})
		}
	}
	r := Request{Scope: health.NodePool, Begun: begin, Gated: true, Timeout: time.Minute}
	later := func(j Judgement) Judgement { j.At = begin.Add(time.Hour); return j }
	if got := Group(r, []Judgement{later(full), later(full), later(full)}, []Judgement{later(well(0))}, begin.Add(time.Hour)); got.Status != metav1.ConditionFalse {
		t.Errorf("a request for a pool can be answered after an hour: got %s", got.Status)
	}
	r.Gated = false
	if got := Group(r, []Judgement{full, full, full}, []Judgement{well(0)}, begin); got.Status != "" {
		t.Errorf("a pool that is not gated gets %s", got.Status)
	}
}
