package faulty

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// standIn simulates kubelets, because the nodes of this lab have no machines. Endpoints that it does not have are
// missing in kubelets of this version too.
func standIn(w http.ResponseWriter, r *http.Request) bool {
	path, ok := isKubelet(r.URL.Path)
	if !ok {
		return false
	}
	switch path {
	case "healthz":
		_, _ = w.Write([]byte("ok"))
	case "configz":
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"kubeletconfig":{"kind":"KubeletConfiguration","apiVersion":"kubelet.config.k8s.io/v1beta1","shutdownGracePeriod":"0s","shutdownGracePeriodCriticalPods":"0s","enableSystemLogHandler":true,"enableSystemLogQuery":true}}`))
	case "logs/":
		quietLog(w, r.URL.Query().Get("query"))
	default:
		http.NotFound(w, r)
	}
	return true
}

// quietLog is the log of a unit without problems.
func quietLog(w http.ResponseWriter, unit string) {
	for ago := 50 * time.Minute; ago > 0; ago -= 10 * time.Minute {
		_, _ = fmt.Fprintf(w, "%s node %s[812]: I%s     812 housekeeping.go:12] \"Housekeeping done\"\n",
			time.Now().Add(-ago).Format("Jan _2 15:04:05"), unit, time.Now().Add(-ago).Format("0102 15:04:05.000000"))
	}
}

// nodeUsage returns the metrics of a node.
type nodeUsage struct {
	Metadata  map[string]string `json:"metadata"`
	Timestamp time.Time         `json:"timestamp"`
	Window    string            `json:"window"`
	Usage     map[string]string `json:"usage"`
}

// usage simulates the metrics API for these nodes.
func usage(w http.ResponseWriter, read Read, nodes []string) {
	one := func(name string) nodeUsage {
		return nodeUsage{map[string]string{"name": name}, time.Now().UTC().Truncate(time.Second), "20s", map[string]string{"cpu": "400m", "memory": "2Gi"}}
	}
	w.Header().Set("Content-Type", "application/json")
	if !read.IsList() {
		_ = json.NewEncoder(w).Encode(one(read.Name))
		return
	}
	items := []nodeUsage{}
	for _, name := range nodes {
		items = append(items, one(name))
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": "NodeMetricsList", "apiVersion": metricsGroup + "/v1beta1", "metadata": map[string]any{}, "items": items})
}
