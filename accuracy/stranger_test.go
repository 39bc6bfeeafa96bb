package accuracy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

// stranger is the name of the additional node.
const stranger = "zz-stranger-1"

// strangerNodes are the states of the second node: healthy, or with its own fault.
var strangerNodes = map[string]func(at time.Time) string{
	"healthy": func(at time.Time) string {
		return strangerNode(at, at, "True", "KubeletReady", "kubelet is posting ready status", at.Add(-48*time.Hour))
	},
	"no network": func(at time.Time) string {
		return strangerNode(at, at, "False", "KubeletNotReady", "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized",
			at.Add(-20*time.Minute))
	},
	"silent": func(at time.Time) string {
		return strangerNode(at, at.Add(-21*time.Minute), "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.", at.Add(-20*time.Minute))
	},
}

// A second node, healthy or with another fault, does not change the result for the nodes of a case. Each case gets one of them, another each
// day.
func TestStrangerBesideCases(t *testing.T) {
	w := sharedWorld(t)
	kinds := slices.Sorted(maps.Keys(strangerNodes))
	tried := 0
	for k, kind := range kinds {
		own := w.Engine.Judge(Files{{"cluster.json", strangerNodes[kind](time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC))}}.FS())
		var cases []*Case
		for _, c := range w.Cases {
			turn := (chance(FigureSeed, "stranger", c.Name).IntN(len(kinds)) + time.Now().UTC().YearDay()) % len(kinds)
			if turn == k && strangerFits(c) && !sameFaults(c, own) {
				cases = append(cases, c)
			}
		}
		problems := make([]string, len(cases))
		parallel(len(cases), func(i int) {
			c := cases[i]
			more := File{"stranger/cluster.json", strangerNodes[kind](*c.Base().Report.TakenAt)}
			got := w.Engine.Judge(append(slices.Clone(c.Files), more).FS())
			if problems[i] = strangerChanges(c, got); problems[i] == "" && kind == "healthy" {
				problems[i] = strangerBlamed(got)
			}
		})
		for i, p := range problems {
			if p != "" {
				t.Errorf("%s, beside a %s node: %s", cases[i].Name, kind, p)
			}
		}
		t.Logf("%d cases beside a %s node", len(cases), kind)
		tried += len(cases)
	}
	if tried < 60 {
		t.Errorf("only %d cases were tried", tried)
	}
}

// strangerFits reports whether the time of a case is known, each of its files names its node, and its findings have a name. A
// file without one may be of any node.
func strangerFits(c *Case) bool {
	r := c.Base().Report
	if c.unfit() != "" || r.TakenAt == nil || c.Files.bundled() || len(r.Cohorts) > 0 {
		return false
	}
	unnamed := evidence.NodeSubject("")
	if slices.ContainsFunc(r.Findings, func(f triage.Finding) bool { return slices.Contains(f.Subjects, unnamed) }) {
		return false
	}
	return !slices.ContainsFunc(c.Files, func(f File) bool { return len(namesIn(f.Text).nodes) == 0 })
}

// sameFaults reports whether a case and the second node have faults of one family, which are reported together:
// cni-not-installed and cni-bug.
func sameFaults(c *Case, own Answer) bool {
	family := func(cause string) string { first, _, _ := strings.Cut(cause, "-"); return first }
	return slices.ContainsFunc(c.Base().Report.Findings, func(f triage.Finding) bool {
		return slices.ContainsFunc(own.Report.Findings, func(o triage.Finding) bool { return family(o.Cause) == family(f.Cause) })
	})
}

// strangerChanges returns what a second node changed in the answer; empty if nothing.
func strangerChanges(c *Case, got Answer) string {
	about := func(f *triage.Finding) []evidence.Subject { // the cluster has the second node too
		return slices.DeleteFunc(slices.Clone(f.Subjects), func(s evidence.Subject) bool { return s.Name == stranger || s.Kind == "Cluster" })
	}
	was := c.Base().Report
	for i := range was.Findings {
		before := &was.Findings[i]
		now := got.Finding(before.Cause)
		switch {
		case now == nil:
			return fmt.Sprintf("%s is not found any more; first is %s", before.Cause, first(got))
		case now.Certainty != before.Certainty:
			return fmt.Sprintf("%s was %s and is %s", before.Cause, before.Certainty, now.Certainty)
		case len(about(now)) != len(about(before)):
			return fmt.Sprintf("%s was on %v and is on %v", before.Cause, before.Subjects, now.Subjects)
		}
	}
	for i := range got.Report.Findings {
		f := &got.Report.Findings[i]
		if c.Base().Finding(f.Cause) == nil && len(about(f)) > 0 {
			return fmt.Sprintf("also finds %s on %v: %s", f.Cause, f.Subjects, evidenceOf(*f))
		}
	}
	return ""
}

// strangerBlamed returns findings about a healthy second node; empty if there are none.
func strangerBlamed(got Answer) string {
	is := evidence.NodeSubject(stranger)
	for _, f := range got.Report.Findings {
		if slices.Contains(f.Subjects, is) || slices.Contains(f.LikelyOn, is) {
			return f.Cause + " is on the node that is well: " + evidenceOf(f)
		}
	}
	for _, s := range got.Report.Symptoms {
		if s.Subject == is {
			return s.ID + " is shown of the node that is well"
		}
	}
	return ""
}

// strangerNode is a node of another make, with its lease and a running pod.
func strangerNode(at, heard time.Time, ready, reason, message string, since time.Time) string {
	stamp := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	beat := stamp(heard.Add(-5 * time.Second))
	var conditions []string
	for _, typ := range []string{"MemoryPressure", "DiskPressure", "PIDPressure"} {
		conditions = append(conditions, fmt.Sprintf(`{"type": %q, "status": "False", "reason": "KubeletHasNo%s", "lastHeartbeatTime": %q, "lastTransitionTime": %q}`, typ, typ, beat, stamp(at.Add(-48*time.Hour))))
	}
	conditions = append(conditions, fmt.Sprintf(`{"type": "Ready", "status": %q, "reason": %q, "message": %q, "lastHeartbeatTime": %q, "lastTransitionTime": %q}`, ready, reason, message, beat, stamp(since)))
	made := stamp(at.Add(-72 * time.Hour))
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "List", "items": [
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": %[1]q, "uid": "u-stranger", "creationTimestamp": %[2]q, "labels": {"kubernetes.io/hostname": %[1]q, "kubernetes.io/os": "linux"}},
 "spec": {"podCIDR": "10.77.0.0/24"},
 "status": {"conditions": [%[3]s], "addresses": [{"type": "InternalIP", "address": "10.250.77.4"}],
  "capacity": {"cpu": "8", "memory": "32Gi", "pods": "110"}, "allocatable": {"cpu": "8", "memory": "31Gi", "pods": "110"},
  "nodeInfo": {"kubeletVersion": "v1.30.1", "osImage": "Stranger OS", "kernelVersion": "6.9.9", "containerRuntimeVersion": "containerd://1.7.99", "operatingSystem": "linux", "architecture": "amd64"}}},
{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": %[1]q, "namespace": "kube-node-lease"}, "spec": {"holderIdentity": %[1]q, "leaseDurationSeconds": 40, "renewTime": %[4]q}}
]}
`, stranger, made, strings.Join(conditions, ", "), heard.Add(-5*time.Second).UTC().Format("2006-01-02T15:04:05.000000Z"))
}
