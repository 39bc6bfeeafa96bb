//go:build unix

package conformance

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The node monitor sleeps for a period after each pass, so a slow pass delays what it detects. The metrics of the
// controller manager show the duration of passes.
const passMetric = "node_collector_update_all_nodes_health_duration_seconds"

// freePort returns a port for the metrics of the controller manager.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}

// metricsArgs exposes the metrics to every client on this machine.
func metricsArgs(port, dir string) []string {
	return []string{"--secure-port=" + port, "--bind-address=127.0.0.1", "--cert-dir=" + dir, "--authorization-always-allow-paths=/metrics"}
}

// passes records the duration of the passes of each second.
func (c *canary) passes(ctx context.Context, p *plane) {
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} // its own certificate, on loopback
	var lastSum, lastCount float64
	last := time.Now()
	for pause(ctx, canaryPeriod) == nil {
		sum, count, ok := passTotals(ctx, client, p.metrics)
		if !ok {
			continue
		}
		now := time.Now()
		if passes := count - lastCount; passes > 0 && lastCount > 0 {
			late := time.Duration((sum - lastSum) / passes * float64(time.Second))
			c.mu.Lock()
			// Both the pass that saw the last heartbeat and the pass that misses the next one add delay.
			c.samples = append(c.samples, sample{last, now, 2 * late})
			c.mu.Unlock()
		}
		lastSum, lastCount, last = sum, count, now
	}
}

func passTotals(ctx context.Context, client *http.Client, port string) (sum, count float64, ok bool) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://127.0.0.1:"+port+"/metrics", nil)
	if err != nil {
		return 0, 0, false
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, 0, false // it is starting, or has ended
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, 0, false
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		name, value, _ := strings.Cut(line, " ")
		switch name {
		case passMetric + "_sum":
			sum, err = strconv.ParseFloat(value, 64)
			ok = err == nil
		case passMetric + "_count":
			count, _ = strconv.ParseFloat(value, 64)
		}
	}
	return sum, count, ok
}
