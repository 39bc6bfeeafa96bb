package rules_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/signatures"
	"github.com/nodetriage/nodetriage/triage"
)

// withLog judges the cluster with the kubelet log of its node np1-0, which begins at the given time before now.
func withLog(t *testing.T, c *cluster, name, log string) *triage.Report {
	t.Helper()
	set, err := signatures.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	b := collect.NewBuilder(evidence.Source{Kind: "cluster"}, set)
	b.TakenAt(at)
	for _, n := range c.nodes {
		b.AddObject(n)
	}
	for _, p := range c.pods {
		b.AddObject(p)
	}
	for _, o := range c.others {
		b.AddObject(o)
	}
	for _, k := range []evidence.Kind{evidence.Nodes, evidence.Leases, evidence.Pods, evidence.Events, evidence.Workloads} {
		b.Cover(k, evidence.Complete)
	}
	b.ScanText("np1-0/"+name, evidence.TextLog, evidence.NodeSubject("np1-0"), strings.NewReader(log))
	return judged(t, b.Snapshot())
}

// klog returns a kubelet log line from some time before now.
func klog(before time.Duration, text string) string {
	return at.Add(-before).Format("E0102 15:04:05.000000") + "      77 " + text + "\n"
}

const (
	firstList   = `kubelet.go:2646] "Skipping pod synchronization" err="[container runtime status check may not have completed yet, PLEG is not healthy: pleg has yet to be successful]"`
	lateList    = `kubelet.go:2646] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 3m12s ago; threshold is 3m0s"`
	leaseSlow   = `controller.go:251] "Failed to update lease" err="Put \"https://10.0.0.1:6443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/np1-0?timeout=10s\": net/http: request canceled (Client.Timeout exceeded while awaiting headers)"`
	deletedPod  = `status_manager.go:1164] "Failed to get status for pod" err="pods \"web-7d\" is forbidden: User \"system:node:np1-0\" cannot get resource \"pods\" in API group \"\" in the namespace \"shop\": no relationship found between node 'np1-0' and this object" pod="shop/web-7d"`
	pressureLog = `kubelet_node_status.go:639] "Recording event message for node" node="np1-0" event="NodeHasDiskPressure"`
	manifest    = `file.go:186] "Could not process manifest file" err="/etc/kubernetes/manifests/gateway.yaml: couldn't parse as pod(json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container), please check config file"`
	firstStatus = `kubelet_node_status.go:479] "Error updating node status, will retry" err="error getting node \"np1-0\": node \"np1-0\" not found"`
	csiAtStart  = `csi_plugin.go:399] Failed to initialize CSINode: error updating CSINode annotation: timed out waiting for the condition; caused by: nodes "np1-0" not found`
	swapFlag    = `flags.go:64] FLAG: --fail-swap-on="true"`
	goneAlready = `kuberuntime_gc.go:151] "Failed to remove container" err="failed to get container status \"aa371cf6\": rpc error: code = NotFound desc = an error occurred when try to find container \"aa371cf6\": not found" containerID="aa371cf6"`
	registered  = `kubelet_node_status.go:78] "Successfully registered node" node="np1-0"`
	otherLine   = `reflector.go:1] "Watch closed" type="*v1.Node"`
)

// A log message from a moment ago is resolved if the API shows a healthy node and the log continues without it.
func TestLogOfAWellNode(t *testing.T) {
	second := time.Second
	for name, c := range map[string]struct {
		log     string
		spoil   func(*cluster)
		verdict triage.Verdict
	}{
		"the first list of pods":                   {klog(20*second, firstList), nil, triage.Healthy},
		"the first list for two minutes":           {klog(125*second, firstList) + klog(2*second, firstList), nil, triage.Warn},
		"a late list":                              {klog(5*second, lateList), nil, triage.Warn},
		"a slow lease a minute ago":                {klog(70*second, leaseSlow) + klog(60*second, leaseSlow) + klog(second, otherLine), nil, triage.Healthy},
		"a slow lease now":                         {klog(70*second, leaseSlow) + klog(second, leaseSlow), nil, triage.Warn},
		"a slow lease a minute ago, the node ails": {klog(70*second, leaseSlow) + klog(60*second, leaseSlow) + klog(second, otherLine), pressed, triage.Warn},
		"a slow lease a minute ago, a pod waits": {klog(70*second, leaseSlow) + klog(60*second, leaseSlow) + klog(second, otherLine),
			func(c *cluster) { unready(c.find("web-5d9f-0"), 5*time.Minute, "ContainerCreating") }, triage.Warn},
		"a manifest that cannot be read":                      {klog(31*second, manifest) + klog(11*second, manifest) + klog(second, otherLine), nil, triage.Warn},
		"a manifest that could not be read":                   {klog(71*second, manifest) + klog(51*second, manifest) + klog(second, otherLine), nil, triage.Healthy},
		"the first status of a node that has just registered": {klog(25*second, registered) + klog(24*second, firstStatus), nil, triage.Healthy},
		"a node that was not there yet":                       {klog(26*second, csiAtStart) + klog(25*second, registered), nil, triage.Healthy},
		"a flag":                                              {klog(26*second, swapFlag), nil, triage.Healthy},
		"a container that is gone already":                    {klog(5*second, goneAlready), nil, triage.Healthy},
		"a pod that is gone":                                  {klog(2*second, deletedPod), nil, triage.Healthy},
		"pressure that was taken back":                        {klog(3*time.Minute, pressureLog), func(c *cluster) { transit(c, corev1.ConditionFalse, time.Minute) }, triage.Healthy},
		"pressure after it was so once":                       {klog(30*second, pressureLog), func(c *cluster) { transit(c, corev1.ConditionFalse, time.Minute) }, triage.Warn},
	} {
		cluster := newCluster()
		if c.spoil != nil {
			c.spoil(cluster)
		}
		r := withLog(t, cluster, "kubelet.log", c.log)
		if r.Verdict != c.verdict && !(c.verdict == triage.Warn && r.Verdict == triage.Broken) {
			t.Errorf("%s: %s, want %s; %s, symptoms %v", name, r.Verdict, c.verdict, causes(r), r.Symptoms)
		}
	}
}

func pressed(c *cluster) { transit(c, corev1.ConditionTrue, 10*time.Second) }

// transit changes the DiskPressure condition of np1-0.
func transit(c *cluster, status corev1.ConditionStatus, before time.Duration) {
	for _, n := range c.nodes {
		for i := range n.Status.Conditions {
			if cond := &n.Status.Conditions[i]; n.Name == "np1-0" && cond.Type == corev1.NodeDiskPressure {
				cond.Status, cond.LastTransitionTime = status, ago(before)
			}
		}
	}
}

// causes returns the findings, each with its subject and summary.
func causes(r *triage.Report) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Cause+" on "+f.Subject.String()+": "+f.Summary)
	}
	return out
}
