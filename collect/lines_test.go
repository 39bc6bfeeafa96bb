package collect

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nodetriage/nodetriage/collect/textclass"
	"github.com/nodetriage/nodetriage/evidence"
)

// The last message of a process before systemd reports its exit is kept, with any content: each message once, in text order.
func TestPartingWords(t *testing.T) {
	const journal = `Nov 20 12:00:01 n1 containerd[10]: drop-in config version 4 higher than root config version 2
Nov 20 12:00:01 n1 systemd[1]: containerd.service: Consumed 1.204s CPU time.
Nov 20 12:00:01 n1 systemd[1]: containerd.service: Main process exited, code=exited, status=1/FAILURE
Nov 20 12:00:06 n1 containerd[11]: drop-in config version 4 higher than root config version 2
Nov 20 12:00:06 n1 systemd[1]: containerd.service: Main process exited, code=exited, status=1/FAILURE
Nov 20 12:00:09 n1 kubelet[12]: the other one gives no reason either
Nov 20 12:00:09 n1 systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE
`
	for range 10 {
		l := newLineReader("journal.log", textclass.Kind{}, evidence.NodeSubject("n1"))
		if _, err := strings.NewReader(journal).WriteTo(l); err != nil {
			t.Fatal(err)
		}
		l.finish()
		var got []string
		for _, line := range l.lines(time.Time{}) {
			if line.LastBeforeExit {
				_, says, _ := strings.Cut(line.Ref.Text, "]: ")
				got = append(got, says)
			}
		}
		if want := []string{"drop-in config version 4 higher than root config version 2", "the other one gives no reason either"}; !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}
