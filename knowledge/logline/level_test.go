package logline_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

func TestLevelOf(t *testing.T) {
	for line, want := range map[string]struct {
		gravity logline.Gravity
		known   bool
	}{
		`W1119 11:58:33.288372    4390 plugins.go:195] can't set sysctl`:                        {logline.Warning, true},
		`May 26 18:42:17 n1 kubelet[912]: E0526 18:42:17.000000     912 server.go:708] no`:      {logline.Error, true},
		`May 26 18:42:17 n1 dockerd[1]: time="2021-05-26T18:42:17Z" level=warning msg="failed"`: {logline.Warning, true},
		`{"level":"fatal","ts":"2021-05-26T18:42:17Z","msg":"cannot start"}`:                    {logline.Fatal, true},
		`2026-03-01 09:35:00.000 [ERROR][61] felix/vxlan_mgr.go 513: failed`:                    {logline.Error, true},
		`May 26 18:42:17 n1 systemd[1]: kubelet.service: Main process exited, code=exited`:      {logline.Plain, false},
		`container_manager_linux.go:205] Running with swap on is not supported`:                 {logline.Plain, false},
		`2019-12-26 10:00:35.154111 W | etcdserver: failed to revoke 2bff6f0611bffd09`:          {logline.Warning, true},
		`2019-12-26 10:00:35.154111 C | etcdmain: cannot start`:                                 {logline.Fatal, true},
		`INFO: remounting /sys read-only`:                                                       {logline.Plain, true},
		`INFO: task kubelet:1234 blocked for more than 120 seconds.`:                            {logline.Plain, false},
		`Mar 01 10:00:00 n1 kernel: INFO: task kubelet:1234 blocked for more than 120 seconds.`: {logline.Plain, false},
		`Mar 01 10:00:00 n1 kernel: rcu: INFO: rcu_sched self-detected stall on CPU`:            {logline.Plain, false},
		`WARNING: CPU: 3 PID: 12 at net/sched/sch_generic.c:467`:                                {logline.Plain, false},
		`FATA[0147] Error: No such container: kube-apiserver`:                                   {logline.Fatal, true},
		"": {logline.Plain, false},
	} {
		if g, known := logline.LevelOf(line); g != want.gravity || known != want.known {
			t.Errorf("%q is %s (%v), want %s (%v)", line, g, known, want.gravity, want.known)
		}
	}
}
