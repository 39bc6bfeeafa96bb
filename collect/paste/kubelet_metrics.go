package paste

import (
	"strconv"
	"strings"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/lazyregexp"
)

// metricsOf matches a request for kubelet metrics, and captures the node.
var metricsOf = lazyregexp.New(`/api/v1/nodes/([a-z0-9][a-z0-9.-]{0,252})/proxy/metrics`)

// startKubeletMetrics reads the PLEG relist metrics and the number of running pods, as people grep them from /metrics. It uses the
// sum and count of histograms, not their buckets.
func startKubeletMetrics(p *page, l line) reader {
	node := ""
	if m := metricsOf.FindStringSubmatch(p.command().raw); m != nil {
		node = m[1]
	} else {
		node = p.command().host(p.host).name
	}
	var k *evidence.Kubelet
	read := each(func(l line) bool {
		name, value, ok := strings.Cut(strings.TrimSpace(l.text), " ")
		if strings.HasPrefix(name, "#") || strings.HasPrefix(name, "kubelet_") && strings.Contains(name, "{") {
			return true
		}
		if _, err := strconv.ParseFloat(value, 64); !ok || err != nil || !strings.HasPrefix(name, "kubelet_pleg_") && name != "kubelet_running_pods" {
			return false
		}
		if k == nil {
			if !p.text.room("kubelet metrics", l) {
				return true
			}
			k = p.kubelet(node)
		}
		if k.Metrics == nil {
			k.Metrics = map[string]string{}
		}
		v, _ := strconv.ParseFloat(value, 64)
		k.Metrics[name] = strconv.FormatFloat(v, 'f', -1, 64)
		return true
	})
	if !read(l) {
		return nil
	}
	return read
}
