package logline_test

import (
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// The time of a line is when it was written, not a time in its message.
func TestOwnTime(t *testing.T) {
	written := time.Date(2024, 5, 14, 9, 12, 11, 0, time.UTC)
	for line, want := range map[string]time.Time{
		`2024-05-14T09:12:11Z certificate will expire at 2035-09-20T21:20:26Z`:                         written,
		`time="2024-05-14T09:12:11Z" level=info msg="valid until 2035-09-20T21:20:26Z"`:                written,
		`{"level":"info","expiresAt":"2035-09-20T21:20:26Z","time":"2024-05-14T09:12:11Z"}`:            written,
		`{"notAfter": "2035-09-20T21:20:26Z", "ts": "2024-05-14T09:12:11Z", "msg": "renewed"}`:         written,
		`web container 2024-05-14T09:12:11Z started`:                                                   written,
		`19m Warning CertificateExpirationWarning will expire within 120 days at 2035-09-20T21:20:26Z`: {},
		`notAfter=2035-09-20T21:20:26Z`:                                                                {},
		`maintenance is scheduled for node w1 on 2035-09-20T21:20:26Z`:                                 {},
		`token expires 2035-09-20T21:20:26Z`:                                                           {},
		`next renewal after 2035-09-20 21:20:26`:                                                       {},
		`renewTime: 2035-09-20T21:20:26Z`:                                                              {},
	} {
		if got := logline.ReadOrigin(line, time.Time{}).Time; !got.Equal(want) {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

// A head without a host (journalctl --no-hostname) names the program, and no machine.
func TestHeadWithoutHost(t *testing.T) {
	for line, want := range map[string][2]string{
		`Oct 17 13:46:12 containerd[40100]: time="2024-10-17T13:46:12.062483416Z" level=fatal msg="x"`: {"", "containerd"},
		`Oct 17 13:46:12.062 kubelet[1]: E1017 x`:                                                      {"", "kubelet"},
		`Oct 17 13:46:12 kernel: Out of memory`:                                                        {"", "kernel"},
		`Oct 17 13:46:12 w1 containerd[40100]: starting`:                                               {"w1", "containerd"},
		`Oct 17 13:46:12 w1 kernel: Out of memory: killed`:                                             {"w1", "kernel"},
		`Oct 17 13:46:12 error: it failed`:                                                             {"", ""},
	} {
		o := logline.ReadOrigin(line, time.Time{})
		if o.Host != want[0] || o.Program != want[1] {
			t.Errorf("%s: host %q, program %q, want %q", line, o.Host, o.Program, want)
		}
	}
}
