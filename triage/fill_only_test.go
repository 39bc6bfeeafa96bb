package triage

import (
	"testing"

	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/logline"
)

// The volume that an event names is the one of an error in another line, unless the evidence names several, or an application wrote it.
func TestOnlyNamed(t *testing.T) {
	line := func(text string, by logline.Speaker) *evidence.Line {
		return &evidence.Line{Ref: evidence.Ref{Text: text}, Speaker: by}
	}
	event := line(`MountVolume.MountDevice failed for volume "models-volume" : rpc error`, logline.Kubelet)
	folder := line("mount on /var/lib/kubelet/plugins/kubernetes.io/csi/pv/models-volume/globalmount failed", logline.Kubelet)
	for name, c := range map[string]struct {
		lines []*evidence.Line
		want  string
	}{
		"one":                 {[]*evidence.Line{event, folder}, "models-volume"},
		"a folder names it":   {[]*evidence.Line{folder}, "models-volume"},
		"two":                 {[]*evidence.Line{event, line(`failed for volume "other-volume"`, logline.Kubelet)}, ""},
		"of an application":   {[]*evidence.Line{line(`failed for volume "x; reboot"`, logline.Application)}, ""},
		"application and one": {[]*evidence.Line{event, line(`failed for volume "other-volume"`, logline.Application)}, "models-volume"},
	} {
		s := evidence.New(evidence.Data{Lines: c.lines})
		if got := onlyNamed(s)["volume"]; got != c.want {
			t.Errorf("%s: the volume is %q, want %q", name, got, c.want)
		}
	}
}
