package repair_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/answers/repair"
	"github.com/nodetriage/nodetriage/cases/casetest/snapshots"
	"github.com/nodetriage/nodetriage/cloud"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/triage"
)

const (
	bothReady = "node a kubernetes.azure.com/agentpool=np1\nnode b kubernetes.azure.com/agentpool=np1\n"
	oneReady  = "node a kubernetes.azure.com/agentpool=np1 not-ready\nnode b kubernetes.azure.com/agentpool=np1\n"
	oneClosed = "node a kubernetes.azure.com/agentpool=np1 cordoned\nnode b kubernetes.azure.com/agentpool=np1\n"
	twoImages = "node a kubernetes.azure.com/agentpool=np1 kubernetes.azure.com/node-image-version=1\nnode b kubernetes.azure.com/agentpool=np1 kubernetes.azure.com/node-image-version=2\n"
	onlyOther = "node c kubernetes.azure.com/agentpool=np2\n"
)

// A repair has worked only when the cloud, the nodes and a new diagnosis all say so.
func TestMissing(t *testing.T) {
	node, pool := evidence.NodeSubject("a"), evidence.Subject{Kind: "Pool", Name: "np1"}
	unit := func(state string) *cloud.Standing {
		return &cloud.Standing{Cluster: cloud.Unit{ID: "aks"}, Pool: &cloud.Unit{Name: "np1", Provisioning: state, Power: "Running", Count: 2, Capacity: 2}}
	}
	machine := func(state string, latest evidence.Fact) *cloud.Standing {
		return &cloud.Standing{Cluster: cloud.Unit{ID: "aks", Provisioning: "Succeeded"}, Machine: &cloud.Machine{Provisioning: state, Power: "running", Latest: latest}}
	}
	failing := unit("Failed")
	failing.Pool.Error = "QuotaExceeded"
	grown := unit("Succeeded")
	grown.Pool.Capacity = 3
	for _, c := range []struct {
		what     string
		action   cloud.Verb
		subject  evidence.Subject
		want     int
		table    string
		standing *cloud.Standing
		missing  string
	}{
		{"all is well", cloud.Restart, node, 0, bothReady, machine("Succeeded", evidence.True), ""},
		{"not ready yet", cloud.Restart, node, 0, oneReady, machine("Succeeded", evidence.True), "node a is NotReady"},
		{"the node is gone", cloud.Restart, node, 0, onlyOther, machine("Succeeded", evidence.True), "node a is NotReady"},
		{"the cloud works on it", cloud.Reimage, node, 0, bothReady, machine("Updating", evidence.True), "its state in the cloud is Updating"},
		{"the cloud does not answer", cloud.Reimage, node, 0, bothReady, nil, "its state in the cloud could not be read"},
		{"still the old model", cloud.Refresh, node, 0, bothReady, machine("Succeeded", evidence.False), "the VM does not have the latest model"},
		{"the machine is gone", cloud.DeleteMachine, node, 0, onlyOther, unit("Succeeded"), ""},
		{"the machine is there", cloud.DeleteMachine, node, 0, bothReady, unit("Succeeded"), "node a still exists"},
		{"the pool is gone", cloud.DeletePool, pool, 0, onlyOther, nil, ""},
		{"the pool is there", cloud.DeletePool, pool, 0, bothReady, failing, "pool np1 still exists: Failed (QuotaExceeded); 2 nodes of it still exist"},
		{"it ended", cloud.Abort, pool, 0, oneReady, unit("Canceled"), ""},
		{"it goes on", cloud.Abort, pool, 0, oneReady, unit("Canceling"), "its state in the cloud is Canceling"},
		{"as many as wanted", cloud.ScalePool, pool, 2, bothReady, unit("Succeeded"), ""},
		{"one is not ready", cloud.ScalePool, pool, 2, oneReady, unit("Succeeded"), "1 of 2 nodes are Ready"},
		{"more than wanted", cloud.ScalePool, pool, 1, bothReady, unit("Succeeded"), "2 of 1 nodes are Ready"},
		{"the new pool has all", cloud.AddPool, pool, 2, bothReady, unit("Succeeded"), ""},
		{"the new pool has one", cloud.AddPool, pool, 3, bothReady, unit("Creating"), "its state in the cloud is Creating; 2 of 3 nodes are Ready"},
		{"all have the image", cloud.UpgradeImage, pool, 0, bothReady, unit("Succeeded"), ""},
		{"one is closed", cloud.UpgradeImage, pool, 0, oneClosed, unit("Succeeded"), "node a is NotReady or cordoned"},
		{"two images", cloud.UpgradeImage, pool, 0, twoImages, unit("Succeeded"), "the nodes of the pool have different images"},
		{"no nodes", cloud.UpgradeImage, pool, 0, onlyOther, unit("Succeeded"), "the nodes of the pool have different images"},
		{"as it should be", cloud.Reconcile, pool, 0, bothReady, unit("Succeeded"), ""},
		{"a machine more", cloud.Reconcile, pool, 0, bothReady, grown, "pool np1 specifies 2 nodes, but its scale set has 3 VMs: a reconcile would create or delete VMs"},
		{"half upgraded", cloud.Reconcile, pool, 0, twoImages, unit("Succeeded"), "an upgrade has not finished: nodes differ in version or image, or are quarantined"},
	} {
		s := snapshots.OfTable(t, c.table, nil)
		got := strings.Join(repair.Missing(c.action, c.subject, c.want, repair.Proof{Snapshot: s, Standing: c.standing}), "; ")
		if got != c.missing {
			t.Errorf("%s, %s: %q, want %q", c.action, c.what, got, c.missing)
		}
	}
}

// What was found before and is found again shows that the repair did not help, if it was seen since.
func TestStillFound(t *testing.T) {
	node := evidence.NodeSubject("a")
	since := snapshots.TableTime.Add(-time.Minute)
	finding := func(cause string, subject evidence.Subject, seen ...time.Time) triage.Finding {
		f := triage.Finding{Cause: cause, Subject: subject, Summary: "it is so"}
		for _, at := range seen {
			f.Evidence = append(f.Evidence, evidence.Ref{ObservedAt: at})
		}
		return f
	}
	standing := &cloud.Standing{Cluster: cloud.Unit{ID: "aks", Provisioning: "Succeeded"}, Machine: &cloud.Machine{Provisioning: "Succeeded"}}
	for _, c := range []struct {
		what  string
		after triage.Finding
		again bool
	}{
		{"a state", finding("disk-full", node), true},
		{"a log line since", finding("disk-full", node, since.Add(-time.Hour), since.Add(time.Second)), true},
		{"a log line from before", finding("disk-full", node, since.Add(-time.Second)), false},
		{"of another node", finding("disk-full", evidence.NodeSubject("b")), false},
		{"another cause", finding("memory-pressure", node), false},
		{"a cordon", finding("cordon-left-behind", node), false},
	} {
		before := &triage.Report{Findings: []triage.Finding{finding("disk-full", node), finding("cordon-left-behind", node), finding("disk-full", evidence.NodeSubject("b"))}}
		missing := repair.Missing(cloud.Restart, node, 0, repair.Proof{
			Before: before, After: &triage.Report{Findings: []triage.Finding{c.after}}, Since: since, Snapshot: snapshots.OfTable(t, bothReady, nil), Standing: standing,
		})
		if (len(missing) > 0) != c.again {
			t.Errorf("%s: missing %v", c.what, missing)
		}
	}
}

// A pool is verified closely where it was sick or is new, everywhere where all nodes change, and never without a bound.
func TestConcerned(t *testing.T) {
	pool := evidence.Subject{Kind: "Pool", Name: "np1"}
	var table strings.Builder
	for i := range 14 {
		fmt.Fprintf(&table, "node n%02d kubernetes.azure.com/agentpool=np1\n", i)
	}
	s := snapshots.OfTable(t, table.String()+onlyOther, nil)
	before := &triage.Report{Findings: []triage.Finding{{Subject: evidence.NodeSubject("n03")}, {Subject: pool, Subjects: []evidence.Subject{evidence.NodeSubject("n07")}}}}
	closely, others := repair.Concerned(s, cloud.Reconcile, pool, before, snapshots.TableTime)
	if fmt.Sprint(closely) != "[n03 n07]" || len(others) != 12 {
		t.Errorf("sick nodes: closely %v, others %v", closely, others)
	}
	if closely, others = repair.Concerned(s, cloud.UpgradeImage, pool, nil, snapshots.TableTime); len(closely) != 10 || len(others) != 4 {
		t.Errorf("a new image: closely %v, others %v", closely, others)
	}
	made := snapshots.TableTime.Add(-48 * time.Hour)
	if closely, _ = repair.Concerned(s, cloud.ScalePool, pool, nil, made); len(closely) != 10 {
		t.Errorf("new nodes: closely %v", closely)
	}
	if closely, others = repair.Concerned(s, cloud.Reconcile, evidence.Subject{Kind: "Cluster"}, nil, snapshots.TableTime); len(closely) != 0 || len(others) != 15 {
		t.Errorf("the cluster: closely %v, others %v", closely, others)
	}
}

// The cloud is asked by the provider id of a node; of a pool any node of the cluster tells it.
func TestAbout(t *testing.T) {
	const id = "azure:///subscriptions/0/resourceGroups/MC_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-np1/virtualMachines/0"
	table := "node a kubernetes.azure.com/agentpool=np1 provider=" + id + "\nnode b pool=np2\n"
	s := snapshots.OfTable(t, table, nil)
	if got := repair.ProviderID(s); got != id {
		t.Errorf("provider id %q", got)
	}
	about, err := repair.About(s, evidence.NodeSubject("a"), cloud.About{Verb: cloud.Restart})
	if err != nil || about.ProviderID != id || about.Pool != "np1" || about.Node != "a" {
		t.Errorf("node: %+v, %v", about, err)
	}
	about, err = repair.About(s, evidence.Subject{Kind: "Pool", Name: "np1"}, cloud.About{Verb: cloud.Reconcile, ProviderID: id})
	if err != nil || about.Pool != "np1" || about.Node != "" {
		t.Errorf("pool: %+v, %v", about, err)
	}
	if _, err := repair.About(s, evidence.NodeSubject("b"), cloud.About{Verb: cloud.Restart}); err == nil {
		t.Error("a node without a machine in the cloud can be repaired there")
	}
	if got := repair.ProviderID(snapshots.OfTable(t, "node b pool=np2\n", nil)); got != "" {
		t.Errorf("provider id %q of a cluster without a cloud", got)
	}
}
