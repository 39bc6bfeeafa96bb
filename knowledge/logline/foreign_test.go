package logline_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

func TestForeign(t *testing.T) {
	for line, want := range map[string]bool{
		`2024-05-14 09:12:11.000 ERROR 1 --- [nio-8080-exec-2] c.e.shop.orders.Export : java.io.IOException: No space left on device`: true,
		`2024/05/14 09:12:11 [crit] 31#31: *7 open() "/var/cache/nginx/proxy_temp/1" failed (28: No space left on device)`:            true,
		`2024-05-14 09:12:11.000 UTC [77] app@shop ERROR:  could not extend file: No space left on device`:                            true,
		`1:M 14 May 2024 09:12:11.000 # Can't save in background: fork: Cannot allocate memory`:                                       true,
		`[2024-05-14 09:12:11 +0000] [7] [ERROR] Worker (pid:9) was sent SIGKILL! Perhaps out of memory?`:                             true,
		`E0514 09:12:11.000000 1 kubelet.go:1] "Failed to write" err="no space left on device"`:                                       false,
		`May 14 09:12:11 n1 containerd[880]: time="2024-05-14T09:12:11Z" level=error msg="write: no space left on device"`:            false,
		`2024-05-14 09:12:11.050 [WARNING][12148] felix/table.go 1005: Failed to program iptables`:                                    false,
	} {
		if got := logline.Foreign(line); got != want {
			t.Errorf("Foreign(%q) = %v, want %v", line, got, want)
		}
	}
}
