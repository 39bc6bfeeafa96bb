package logline_test

import (
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// BenchmarkLine measures what runs for every line of a text, on heads of journals, of klog, of containers and on a line without
// one.
func BenchmarkLine(b *testing.B) {
	lines := []string{
		`Jun 02 00:30:01 worker-1 kubelet[1234]: I0602 00:30:01.123456    1234 reconciler_common.go:251] "operationExecutor started for volume" pod="default/web-0"`,
		`2026-06-02T00:30:01.123456+00:00 worker-1 containerd[812]: time="2026-06-02T00:30:01Z" level=info msg="CreateContainer within sandbox"`,
		`E0602 00:30:01.123456    1234 kubelet.go:2448] "Skipping pod synchronization" err="PLEG is not healthy"`,
		`[ 1234.567890] EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm kubelet: reading directory lblock 0`,
		`the volume of the pod is mounted, and its containers were started in 12 seconds by the runtime`,
	}
	for _, question := range []struct {
		name string
		ask  func(line string)
	}{
		{"Loud", func(line string) { logline.Loud(line) }},
		{"Stamped", func(line string) { logline.Stamped(line) }},
		{"Program", func(line string) { logline.Program(line) }},
		{"Template", func(line string) { logline.Template(line) }},
		{"Gravity", func(line string) { logline.GravityOf(line) }},
		{"Tick", func(line string) { logline.Tick(line) }},
	} {
		b.Run(question.name, func(b *testing.B) {
			for b.Loop() {
				for _, line := range lines {
					question.ask(line)
				}
			}
		})
	}
}
