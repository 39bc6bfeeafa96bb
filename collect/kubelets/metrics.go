package kubelets

import (
	"bufio"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/wording"
)

// chosenSeries are the series of a kubelet's /metrics that evidence.Kubelet.Metrics keeps, with the labels that stay in the key, in
// this order. Series that differ only in other labels are summed. Keys are name or name{label="value"}. Names and meanings are
// those of kubernetes/kubernetes pkg/kubelet/metrics, pkg/kubelet/certificate, cmd/kubelet/app and client-go's rest metrics,
// v1.36.3, and older where noted.
//
//	series                                                      | unit, meaning
//	kubelet_pleg_last_seen_seconds                              | Unix time of the last relist, set at health checks
//	kubelet_pleg_relist_duration_seconds_sum, _count            | s in all, relists
//	kubelet_pleg_relist_duration_seconds_bucket{le}             | relists that took at most le seconds
//	kubelet_pleg_relist_interval_seconds_sum, _count            | s between relists in all, intervals
//	kubelet_pleg_discard_events                                 | events lost because the channel was full
//	kubelet_runtime_operations_total{operation_type}            | calls to the runtime
//	kubelet_runtime_operations_errors_total{operation_type}     | those that failed
//	kubelet_runtime_operations_duration_seconds_sum, _count{operation_type} | s in all, calls
//	kubelet_run_podsandbox_errors_total                         | sandboxes that did not start
//	kubelet_certificate_manager_client_ttl_seconds              | s until the client certificate ends; negative: ended; +Inf: none
//	kubelet_certificate_manager_client_expiration_renew_errors  | failed renewals of it
//	kubelet_certificate_manager_server_ttl_seconds              | s until the serving certificate ends
//	kubelet_certificate_manager_client_expiration_seconds       | Unix time of its end (old kubelets)
//	kubelet_server_expiration_renew_errors                      | failed renewals of the serving certificate
//	kubelet_evictions{eviction_signal}                          | pods evicted by signal
//	kubelet_running_pods, kubelet_desired_pods, kubelet_active_pods, kubelet_working_pods | pods
//	kubelet_running_containers{container_state}                 | containers by state
//	kubelet_orphaned_runtime_pods_total                         | pods that ran without the kubelet knowing them
//	kubelet_admission_rejections_total{reason}                  | pods refused at admission
//	kubelet_cgroup_version                                      | 1 or 2
//	kubelet_cri_losing_support                                  | >0: the runtime is too old for a coming version
//	kubelet_graceful_shutdown_start_time_seconds                | Unix time; >0: a graceful shutdown began
//	rest_client_requests_total{code}                            | requests to the API server by answer; "<error>": none
//	process_start_time_seconds                                  | Unix time of the kubelet's start
//	process_open_fds, process_max_fds                           | file descriptors and their limit
//	process_resident_memory_bytes, go_goroutines                | of the kubelet itself
//	storage_operation_duration_seconds_count{operation_name,status} | volume operations by result
var chosenSeries = map[string][]string{
	"kubelet_pleg_last_seen_seconds":                             nil,
	"kubelet_pleg_relist_duration_seconds_sum":                   nil,
	"kubelet_pleg_relist_duration_seconds_count":                 nil,
	"kubelet_pleg_relist_duration_seconds_bucket":                {"le"},
	"kubelet_pleg_relist_interval_seconds_sum":                   nil,
	"kubelet_pleg_relist_interval_seconds_count":                 nil,
	"kubelet_pleg_discard_events":                                nil,
	"kubelet_runtime_operations_total":                           {"operation_type"},
	"kubelet_runtime_operations_errors_total":                    {"operation_type"},
	"kubelet_runtime_operations_duration_seconds_sum":            {"operation_type"},
	"kubelet_runtime_operations_duration_seconds_count":          {"operation_type"},
	"kubelet_run_podsandbox_errors_total":                        nil,
	"kubelet_certificate_manager_client_ttl_seconds":             nil,
	"kubelet_certificate_manager_client_expiration_renew_errors": nil,
	"kubelet_certificate_manager_server_ttl_seconds":             nil,
	"kubelet_certificate_manager_client_expiration_seconds":      nil,
	"kubelet_server_expiration_renew_errors":                     nil,
	"kubelet_evictions":                                          {"eviction_signal"},
	"kubelet_running_pods":                                       nil,
	"kubelet_desired_pods":                                       nil,
	"kubelet_active_pods":                                        nil,
	"kubelet_working_pods":                                       nil,
	"kubelet_running_containers":                                 {"container_state"},
	"kubelet_orphaned_runtime_pods_total":                        nil,
	"kubelet_admission_rejections_total":                         {"reason"},
	"kubelet_cgroup_version":                                     nil,
	"kubelet_cri_losing_support":                                 nil,
	"kubelet_graceful_shutdown_start_time_seconds":               nil,
	"rest_client_requests_total":                                 {"code"},
	"process_start_time_seconds":                                 nil,
	"process_open_fds":                                           nil,
	"process_max_fds":                                            nil,
	"process_resident_memory_bytes":                              nil,
	"go_goroutines":                                              nil,
	"storage_operation_duration_seconds_count":                   {"operation_name", "status"},
}

const (
	maxMetricLine = 64 << 10 // bytes; a longer line is left out
	maxSeries     = 1000     // keys that are kept of one kubelet
)

// ReadMetrics returns the chosen series of an exposition, read as a stream. If the stream fails, it returns the error and the
// series so far.
func ReadMetrics(r io.Reader) (map[string]string, error) {
	sums := map[string]float64{}
	in := bufio.NewReaderSize(r, maxMetricLine)
	var err error
	for err == nil {
		var line []byte
		line, err = in.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) { // longer than any chosen series
			line = nil
			_, err = in.ReadSlice('\n')
		}
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		name := line
		if i := slices.IndexFunc(line, func(b byte) bool { return b == '{' || b == ' ' || b == '\t' }); i > 0 {
			name = line[:i]
		}
		keep, chosen := chosenSeries[string(name)]
		if !chosen {
			continue
		}
		s, ok := parseSample(string(line))
		if !ok || math.IsNaN(s.value) {
			continue
		}
		k := seriesKey(s, keep)
		if _, known := sums[k]; known || len(sums) < maxSeries {
			sums[k] += s.value
		}
	}
	out := make(map[string]string, len(sums))
	for k, v := range sums {
		out[k] = strconv.FormatFloat(v, 'f', -1, 64)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return out, err
}

func seriesKey(s sample, keep []string) string {
	var b strings.Builder
	for _, want := range keep {
		for _, l := range s.labels {
			if l.name == want {
				if b.Len() > 0 {
					b.WriteByte(',')
				}
				b.WriteString(l.name + "=" + strconv.Quote(wording.Cut(l.value, 200)))
			}
		}
	}
	if b.Len() == 0 {
		return s.name
	}
	return s.name + "{" + b.String() + "}"
}
