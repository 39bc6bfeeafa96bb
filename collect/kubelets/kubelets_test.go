package kubelets

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
)

func open(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func equalJSON(t *testing.T, got, want any) {
	t.Helper()
	a, _ := json.MarshalIndent(got, "", " ")
	b, _ := json.MarshalIndent(want, "", " ")
	if string(a) != string(b) {
		t.Errorf("got %s\nwant %s", a, b)
	}
}

// The series that rules read have the names of the table, summed over other labels.
func TestReadMetrics(t *testing.T) {
	got, err := ReadMetrics(open(t, "metrics.txt"))
	if err != nil {
		t.Fatal(err)
	}
	equalJSON(t, got, map[string]string{
		"go_goroutines": "412",
		"kubelet_certificate_manager_client_expiration_renew_errors":                 "17",
		"kubelet_certificate_manager_client_ttl_seconds":                             "3599",
		"kubelet_certificate_manager_server_ttl_seconds":                             "+Inf",
		`kubelet_evictions{eviction_signal="memory.available"}`:                      "3",
		"kubelet_pleg_discard_events":                                                "0",
		"kubelet_pleg_last_seen_seconds":                                             "1763689201",
		`kubelet_pleg_relist_duration_seconds_bucket{le="0.005"}`:                    "10",
		`kubelet_pleg_relist_duration_seconds_bucket{le="10"}`:                       "120",
		`kubelet_pleg_relist_duration_seconds_bucket{le="+Inf"}`:                     "131",
		"kubelet_pleg_relist_duration_seconds_sum":                                   "2912.25",
		"kubelet_pleg_relist_duration_seconds_count":                                 "131",
		`kubelet_running_containers{container_state="exited"}`:                       "4",
		`kubelet_running_containers{container_state="running"}`:                      "21",
		"kubelet_running_pods":                                                       "12",
		`kubelet_runtime_operations_errors_total{operation_type="create_container"}`: "88",
		`kubelet_runtime_operations_errors_total{operation_type="odd \"name\\\n"}`:   "1",
		`kubelet_runtime_operations_total{operation_type="create_container"}`:        "140",
		"kubelet_run_podsandbox_errors_total":                                        "7",
		`rest_client_requests_total{code="200"}`:                                     "2000",
		`rest_client_requests_total{code="401"}`:                                     "31",
		`rest_client_requests_total{code="<error>"}`:                                 "2",
		"process_start_time_seconds":                                                 "1763602801.23",
	})
}

// An overlong line does not affect the next lines.
func TestReadMetricsLongLine(t *testing.T) {
	text := "go_goroutines{a=\"" + strings.Repeat("x", 1<<20) + "\"} 1\nkubelet_running_pods 3\n"
	got, err := ReadMetrics(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	equalJSON(t, got, map[string]string{"kubelet_running_pods": "3"})
}

func TestReadConfigz(t *testing.T) {
	got, err := ReadConfigz(open(t, "configz.json"))
	if err != nil {
		t.Fatal(err)
	}
	equalJSON(t, got, map[string]string{
		"syncFrequency": "1m0s", "address": "0.0.0.0", "port": "10250", "rotateCertificates": "true", "serverTLSBootstrap": "false",
		"clusterDomain": "cluster.local", "clusterDNS": "10.96.0.10,10.96.0.11", "nodeStatusUpdateFrequency": "10s", "nodeLeaseDurationSeconds": "40",
		"cgroupDriver": "systemd", "cpuManagerPolicy": "none", "maxPods": "110", "podPidsLimit": "-1", "resolvConf": "/run/systemd/resolve/resolv.conf",
		"evictionHard.memory.available": "100Mi", "evictionHard.nodefs.available": "10%", "failSwapOn": "true",
		"containerRuntimeEndpoint": "unix:///run/containerd/containerd.sock", "enableSystemLogHandler": "true", "enableSystemLogQuery": "true",
	})
}

// A list of objects is stored by index.
func TestReadConfigzObjects(t *testing.T) {
	got, err := ReadConfigz(strings.NewReader(`{"kubeletconfig":{"shutdownGracePeriod":"0s","clusterDNS":[],
		"shutdownGracePeriodByPodPriority":[{"priority":100000,"shutdownGracePeriodSeconds":10},{"priority":0,"shutdownGracePeriodSeconds":60}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	equalJSON(t, got, map[string]string{
		"shutdownGracePeriod": "0s", "clusterDNS": "",
		"shutdownGracePeriodByPodPriority.0.priority": "100000", "shutdownGracePeriodByPodPriority.0.shutdownGracePeriodSeconds": "10",
		"shutdownGracePeriodByPodPriority.1.priority": "0", "shutdownGracePeriodByPodPriority.1.shutdownGracePeriodSeconds": "60",
	})
}

func TestReadSummary(t *testing.T) {
	got, _, err := ReadSummary(open(t, "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	available, working, tasks, tasksMax := uint64(1<<30), uint64(7<<30), int64(812), int64(4194304)
	equalJSON(t, got, &evidence.KubeletStats{
		MemoryAvailable: &available, MemoryWorking: &working, Tasks: &tasks, TasksMax: &tasksMax,
		NodeFS:  &evidence.FSStat{Capacity: 100000, Available: 5000, Inodes: 1000, InodesFree: 10},
		ImageFS: &evidence.FSStat{Capacity: 200000, Available: 6000, Inodes: 2000, InodesFree: 20},
	})
	for _, text := range []string{"", "[]", `{"pods":[]}`, `{"node":7}`, `{"node":`} {
		if _, _, err := ReadSummary(strings.NewReader(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func FuzzMetrics(f *testing.F) {
	f.Add(`kubelet_evictions{eviction_signal="memory.available"} 3`)
	f.Add(`kubelet_running_pods{a="\"}",b="\xff"} 1e309 5`)
	f.Add(`kubelet_running_pods{`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ReadMetrics(strings.NewReader(text))
		if err != nil || len(got) > maxSeries {
			t.Fatalf("%d series, %v", len(got), err)
		}
	})
}

func FuzzKubeletJSON(f *testing.F) {
	f.Add(`{"kubeletconfig":{"maxPods":110,"evictionHard":{"a":"b"}}}`)
	f.Add(`{"node":{"fs":{"inodes":1}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if got, _ := ReadConfigz(strings.NewReader(text)); len(got) > maxFields {
			t.Fatalf("%d fields", len(got))
		}
		ReadSummary(strings.NewReader(text))
	})
}
