package evidence_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/evidence"
)

// A maintenance window opens by day, week, month or hour, in its time zone, and not while it is blocked.
func TestWindow(t *testing.T) {
	at := func(text string) time.Time {
		out, err := time.Parse("2006-01-02 15:04", text)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	window := func(w evidence.Window) *evidence.Window {
		w.Name, w.Zone, w.Duration = "w", time.UTC, 4*time.Hour
		return &w
	}
	east := window(evidence.Window{Every: evidence.EveryDay})
	east.Zone = time.FixedZone("", 2*3600)
	blocked := window(evidence.Window{Every: evidence.EveryDay, Blocked: []evidence.WindowBlock{{From: at("2026-06-02 00:00"), To: at("2026-06-03 00:00")}}})
	weekly := evidence.Window{Every: evidence.EveryWeek, Weekday: time.Sunday, Interval: 2}
	counted := weekly
	counted.From = at("2026-06-07 00:00") // a Sunday
	for _, c := range []struct {
		name   string
		window *evidence.Window
		at     string
		want   evidence.Fact
		says   string
	}{
		{"every day", window(evidence.Window{Every: evidence.EveryDay}), "2026-06-02 03:59", evidence.True, "w every day at 00:00 +00:00 for 4 hours"},
		{"after it", window(evidence.Window{Every: evidence.EveryDay}), "2026-06-02 04:00", evidence.False, "w every day at 00:00 +00:00 for 4 hours"},
		{"it began the day before", window(evidence.Window{Every: evidence.EveryDay, Start: 22 * time.Hour}), "2026-06-02 01:00", evidence.True, "w every day at 22:00 +00:00 for 4 hours"},
		{"in another zone", east, "2026-06-01 22:30", evidence.True, "w every day at 00:00 +02:00 for 4 hours"},
		{"blocked", blocked, "2026-06-02 01:00", evidence.False, "w every day at 00:00 +00:00 for 4 hours"},
		{"a Sunday that counts", window(counted), "2026-06-21 01:00", evidence.True, "w every 2 weeks on Sunday at 00:00 +00:00 for 4 hours"},
		{"a Sunday between", window(counted), "2026-06-14 01:00", evidence.False, "w every 2 weeks on Sunday at 00:00 +00:00 for 4 hours"},
		{"before it counts", window(counted), "2026-05-24 01:00", evidence.False, "w every 2 weeks on Sunday at 00:00 +00:00 for 4 hours"},
		{"nobody said from when it counts", window(weekly), "2026-06-14 01:00", evidence.Unknown, "w every 2 weeks on Sunday at 00:00 +00:00 for 4 hours"},
		{"another weekday", window(counted), "2026-06-22 01:00", evidence.False, "w every 2 weeks on Sunday at 00:00 +00:00 for 4 hours"},
		{"a day of the month", window(evidence.Window{Every: evidence.EveryMonth, Day: 15}), "2026-06-15 01:00", evidence.True, "w every month on day 15 at 00:00 +00:00 for 4 hours"},
		{"the last Monday", window(evidence.Window{Every: evidence.EveryMonthByWeekday, Weekday: time.Monday, Week: evidence.LastWeek}), "2026-06-29 01:00", evidence.True, "w every month on the last Monday at 00:00 +00:00 for 4 hours"},
		{"a Monday before the last", window(evidence.Window{Every: evidence.EveryMonthByWeekday, Weekday: time.Monday, Week: evidence.LastWeek}), "2026-06-22 01:00", evidence.False, "w every month on the last Monday at 00:00 +00:00 for 4 hours"},
		{"the second Monday", window(evidence.Window{Every: evidence.EveryMonthByWeekday, Weekday: time.Monday, Week: 2}), "2026-06-08 01:00", evidence.True, "w every month on the second Monday at 00:00 +00:00 for 4 hours"},
		{"by hours", window(evidence.Window{Every: evidence.EveryHour, Hours: map[time.Weekday][]int{time.Tuesday: {1, 2}}}), "2026-06-02 02:30", evidence.True, "w by weekday and hour"},
		{"a schedule that is not known", window(evidence.Window{}), "2026-06-02 01:00", evidence.Unknown, "w on an unknown schedule at 00:00 +00:00 for 4 hours"},
	} {
		if got := c.window.Holds(at(c.at)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := c.window.String(); got != c.says {
			t.Errorf("%s: %q, want %q", c.name, got, c.says)
		}
	}
}

// The outbound rule with the lowest priority number wins. Single rules belong to one group.
func TestSecurityGroups(t *testing.T) {
	group := func(id, name string, part bool, out ...evidence.CloudWayOut) *evidence.CloudSecurityGroup {
		return &evidence.CloudSecurityGroup{CloudItem: evidence.CloudItem{ID: id, Name: name}, Part: part, Out: out}
	}
	deny, allow := evidence.CloudWayOut{Rule: "no-out", Priority: 200, Denies: true}, evidence.CloudWayOut{Rule: "https", Priority: 100}
	some := evidence.CloudWayOut{Rule: "registry", Priority: 150, To: []string{"Registry"}}
	d := &evidence.Data{CloudResources: []evidence.CloudResource{group("/n", "n", true, deny), group("/N", "n", false, some, deny), group("/m", "m", true, deny, allow)}}
	got := evidence.SecurityGroups(d)
	if len(got) != 2 || got[0].Part || len(got[0].Out) != 2 {
		t.Fatalf("%+v", got)
	}
	if got[0].Denial() != "no-out (priority 200)" || fmt.Sprint(got[0].Exceptions(false)) != "[Registry]" || len(got[0].Exceptions(true)) != 0 {
		t.Errorf("%q, %v", got[0].Denial(), got[0].Exceptions(false))
	}
	if got[1].Denial() != "" {
		t.Errorf("it is let through before it is denied, and %q", got[1].Denial())
	}
}

// A failure is over if the same operation, or the one that started it, succeeded later on the same resource.
func TestActivities(t *testing.T) {
	const cluster, pool, set = "/managedClusters/aks/x", "/managedClusters/aks/agentPools/np1", "/virtualMachineScaleSets/s"
	activity := func(id, chain, operation, on, status string, minutes int) *evidence.CloudActivity {
		return &evidence.CloudActivity{ID: id, Chain: chain, Operation: operation, Resource: on, Status: status, Time: noon.Add(time.Duration(minutes) * time.Minute), Caller: "me"}
	}
	deep := activity("2", "c", "set/write", set, "Failed", 1)
	top := activity("1", "c", "pool/write", pool, "Failed", 2)
	other := activity("3", "", "set/write", "/virtualMachineScaleSets/other", "Failed", 3)
	s := evidence.New(evidence.Data{CloudActivities: []*evidence.CloudActivity{top, deep, other, activity("4", "", "pool/write", pool, "Succeeded", 60)}})
	if !s.SucceededSince(top) || s.SucceededSince(deep) || !s.Overcome(deep) || s.Overcome(other) {
		t.Error("what is over is not told from what is not")
	}
	if list := s.Failures(deep); len(list) != 2 || list[0] != top || list[1] != deep {
		t.Errorf("the story is %v", list)
	}
	if list := s.Failures(other); len(list) != 1 {
		t.Errorf("one that stands alone: %v", list)
	}
	if at := s.FailedAt(deep.Time); !at.Over || at.Caller != "me" {
		t.Errorf("%+v", at)
	}
	if len(s.ActivitiesOf("1")) != 1 || activity("", "", "", cluster, "", 0).Depth() != 0 || deep.Depth() != 2 || activity("", "", "", set+"/virtualMachines/0", "", 0).Depth() != 3 {
		t.Error("steps or depths are wrong")
	}
	if !top.NewerThan(deep) || !top.NewerThan(nil) || deep.NewerThan(top) {
		t.Error("the newer one is not told")
	}
}

// All answers about one machine are merged.
func TestMachineOf(t *testing.T) {
	n := evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "aks-np1-vmss000000"}, Spec: corev1.NodeSpec{ProviderID: "azure:///vm/0"}})
	machine := func(host, id string, change func(*evidence.CloudMachine)) *evidence.CloudMachine {
		m := &evidence.CloudMachine{CloudItem: evidence.CloudItem{ID: id}, Host: host}
		change(m)
		return m
	}
	s := evidence.New(evidence.Data{Nodes: []*evidence.Node{n}, CloudResources: []evidence.CloudResource{
		machine("AKS-np1-vmss000000", "", func(m *evidence.CloudMachine) { m.Power, m.Up = "running", evidence.PowerOn }),
		machine("", "/VM/0", func(m *evidence.CloudMachine) { m.State, m.Stage, m.Size = "Failed", evidence.StageFailed, "D4" }),
		machine("another", "/vm/0", func(m *evidence.CloudMachine) { m.Zone = "9" }),
	}})
	m := s.MachineOf(n)
	if m == nil || m.Up != evidence.PowerOn || !m.Failed() || m.Size != "D4" || m.ID != "/VM/0" || m.Zone != "" {
		t.Errorf("%+v", m)
	}
	if m := s.MachineOf(evidence.FromNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "other"}})); m != nil {
		t.Errorf("%+v", m)
	}
}

// The remaining quota is known only if both numbers are known. Stages and power states have a meaning.
func TestCloudItems(t *testing.T) {
	if left := (&evidence.CloudQuota{Used: evidence.CountOf(8), Limit: evidence.CountOf(10)}).Free(); left != evidence.CountOf(2) {
		t.Errorf("%+v are left", left)
	}
	if left := (&evidence.CloudSubnet{Limit: evidence.CountOf(10)}).Free(); left.Known {
		t.Errorf("%+v are left of what nobody counted", left)
	}
	for stage, want := range map[evidence.CloudStage][2]bool{evidence.StageDone: {}, evidence.StageFailed: {true, false}, evidence.StageChanging: {false, true}, evidence.StageUpgrading: {false, true}, evidence.StageUnknown: {}} {
		item := evidence.CloudItem{Stage: stage}
		if got := [2]bool{item.Failed(), item.Changing()}; got != want {
			t.Errorf("%s: %v", stage, got)
		}
	}
	if !evidence.PowerReleased.Off() || evidence.PowerEnded.Off() || evidence.PowerUnknown.Off() {
		t.Error("what is off is not told")
	}
	if n := (&evidence.CloudSet{States: map[evidence.CloudStage]int{evidence.StageDone: 3, evidence.StageFailed: 1}}).Counted(); n != 4 {
		t.Errorf("%d machines", n)
	}
}
