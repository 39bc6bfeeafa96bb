package signatures

import (
	"os"
	"regexp"
	"testing"

	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// writers are the components whose code the source of a signature names: they write the message in their own log.
var writers = map[logline.Speaker]*regexp.Regexp{
	logline.Etcd:       regexp.MustCompile(`(?:^|; |, )etcd (?:server|client|etcdserver)/`),
	logline.Containerd: regexp.MustCompile(`\bcontainerd (?:internal|core|pkg|plugins|cmd|runtime|services|client)/`),
	logline.CRIO:       regexp.MustCompile(`\bcri-o (?:server|internal|lib)/`),
	logline.Docker:     regexp.MustCompile(`\bmoby (?:daemon|libcontainerd|libnetwork|container)/`),
	logline.Systemd:    regexp.MustCompile(`\bsystemd src/core/`),
	logline.Kubelet:    regexp.MustCompile(`\bkubernetes pkg/kubelet/`),
	logline.Proxy:      regexp.MustCompile(`\bkubernetes pkg/proxy/`),
}

// elsewhere matches sources whose message is in the output of another program.
var elsewhere = regexp.MustCompile(`^kubectl get pods; kubernetes pkg/kubelet/nodeshutdown|passed on by`)

// A message proves a cause in the component's own log with the same certainty as in a log that repeats it.
func TestWritersAreHeard(t *testing.T) {
	set, err := Read(os.DirFS("data"))
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, s := range set.list {
		for who, own := range writers {
			if !own.MatchString(s.Source) || elsewhere.MatchString(s.Source) {
				continue
			}
			tried++
			if s.Heard(who) != Certain {
				t.Errorf("%s is of %q, but %s is not among its speakers", s.ID, s.Source, who)
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d sources were read: does the form of sources still fit?", tried)
	}
}
