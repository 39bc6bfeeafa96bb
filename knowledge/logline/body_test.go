package logline_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

func TestBody(t *testing.T) {
	for _, tc := range []struct{ line, want string }{
		{`Aug 25 15:57:08 node1 crio[38052]: time="2023-08-25 15:57:08.444+08:00" level=warning msg="slow"`, `level=warning msg="slow"`},
		{`E0119 09:20:44.310012       1 main.go:278] Failed to check br_netfilter`, `main.go:278] Failed to check br_netfilter`},
		{`2026-11-21T02:03:04+0000 worker-1 kubelet[812]: E1121 02:03:04.1 812 kubelet.go:2345] "PLEG"`, `kubelet.go:2345] "PLEG"`},
		{`2026-11-21T02:03:04.123456789Z stderr F panic: nil map`, `panic: nil map`},
		{`no head at all`, `no head at all`},
		{`Aug 25 15:57:08 node1 crio[38052]:`, `Aug 25 15:57:08 node1 crio[38052]:`},
		{``, ``},
	} {
		if got := logline.Body(tc.line); got != tc.want {
			t.Errorf("Body(%q)\n got %q\nwant %q", tc.line, got, tc.want)
		}
	}
}
