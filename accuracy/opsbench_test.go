package accuracy

import (
	"testing"
	"testing/fstest"
)

// A case of the benchmark is given as people paste it, and its answer is counted: right for a node's fault, blamed if an
// application is at fault.
func TestBenchIsCounted(t *testing.T) {
	const dead = `"Service: containerd\nNode: w1\nStatus: ○ containerd.service - containerd container runtime\n     Loaded: loaded (/etc/systemd/system/containerd.service; enabled)\n     Active: inactive (dead) since Fri 2026-01-02 12:32:29 UTC; 1min 53s ago\n"`
	cache := `{"collection_timestamp":"2026-01-02T12:34:25","GetAlerts:{}":{},"CheckNodeServiceStatus:{\"node_name\":\"w1\",\"service_name\":\"containerd\"}":` + dead + `}`
	root := fstest.MapFS{}
	for name, fault := range map[string]string{"1": "containerd_unavailable", "2": "oom_killed"} {
		root["benchmark/boutique/runtime/"+name+"/tool_cache.json"] = &fstest.MapFile{Data: []byte(cache)}
		root["benchmark/boutique/runtime/"+name+"/metadata.json"] = &fstest.MapFile{Data: []byte(`{"namespace":"shop","result":{"root_cause":"` + fault + `"}}`)}
	}
	e, err := NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	got, err := MeetBench(e, root)
	if err != nil {
		t.Fatal(err)
	}
	want := []BenchFault{{Fault: "containerd_unavailable", OfNode: true, Cases: 1, Right: 1}, {Fault: "oom_killed", Cases: 1, Blamed: 1, Wrong: 1}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if of, err := NodeCases(root); err != nil || len(of) != 1 || !of[0].Truth.Accepts("runtime-down") {
		t.Errorf("the faults of nodes are %+v (%v)", of, err)
	}
	if _, err := MeetBench(e, fstest.MapFS{}); err == nil {
		t.Error("a folder without cases is no error")
	}
}
