package accuracy

import (
	"strings"
	"testing"

	"github.com/nodetriage/nodetriage/cases"
)

// A log continues for half an hour in its form, with a success for the objects of the case. A table shows the current state.
// The events of a description are older, and success events follow.
func TestEnded(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		holds, not       []string
	}{
		{
			"journal", "1.txt", `Mar 06 21:57:59 node01 kubelet[10880]: E0306 21:57:59.274910   10880 pod_workers.go:190] "Error syncing pod, skipping" err="x" pod="shop/web-0"` + "\n",
			[]string{"Mar 06 22:00:0", `"SyncLoop (PLEG): event for pod" pod="shop/web-0"`, "Mar 06 22:27:59 node01 kubelet["}, nil,
		},
		{
			"logrus", "containerd.log", `time="2023-05-11T16:09:21.839669754+08:00" level=error msg="RunPodSandbox for &PodSandboxMetadata{Name:web-0,Uid:1,Namespace:shop,Attempt:0,} failed, error" error="x"` + "\n",
			[]string{`time="2023-05-11T16:39:21.839669754+08:00" level=info msg="`, `PodSandboxMetadata{Name:web-0,`}, nil,
		},
		{
			"events and pods", "kubectl.txt", "NAME    READY   STATUS              RESTARTS   AGE\nweb-0   0/1     ContainerCreating   0          37m\nold-1   0/1     Terminating         0          2d\n" +
				"  Warning  FailedMount  5m (x3 over 9m)  kubelet  MountVolume.SetUp failed\n",
			[]string{"web-0   1/1     Running             0          67m", "Warning  FailedMount  35m (x3 over 39m)", "Normal   Started  28m  kubelet"}, []string{"Terminating"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, skip := ended(made(t, File{c.file, c.text}), 1)
			if skip != "" {
				t.Fatalf("skipped: %s", skip)
			}
			for _, part := range c.holds {
				if !strings.Contains(got.String(), part) {
					t.Errorf("%q is missing in\n%s", part, got)
				}
			}
			for _, part := range c.not {
				if strings.Contains(got.String(), part) {
					t.Errorf("%q is still in\n%s", part, got)
				}
			}
		})
	}
}

// A case without times, or with an unknown end, is not played.
func TestNotEnded(t *testing.T) {
	for name, f := range map[string]File{
		"bare error":      {"1.txt", "failed to load BPF program\n"},
		"unknown program": {"1.txt", "2024-05-04 07:11:12 something is wrong\n"},
		"table alone":     {"1.txt", "NAME   STATUS     ROLES    AGE    VERSION\nn1     NotReady   <none>   110d   v1.24.10\n"},
	} {
		if got, skip := ended(made(t, f), 1); skip == "" {
			t.Errorf("%s: ended as\n%s", name, got)
		}
	}
}

// The same play always gives the same evidence.
func TestPlaysRepeat(t *testing.T) {
	c := made(t, File{"kubelet.log", `E0412 03:10:38.230019    1187 kubelet_node_status.go:540] "Error updating node status, will retry" err="dial tcp 10.0.0.10:6443: connect: no route to host"` + "\n"})
	for _, kind := range []string{"past", "noise", "loss", "dress", "order", "pieces"} {
		p := Play{Kind: kind, Case: c, Seed: 7}
		if k := kindNamed(kind); k.variants != nil {
			p.Variant = k.variants(c)[0]
		}
		one, _ := p.Make()
		two, _ := p.Make()
		if one.String() != two.String() {
			t.Errorf("%s: two plays of one seed differ", kind)
		}
	}
}

// A failure is reduced: unrelated files and lines are dropped.
func TestSmallest(t *testing.T) {
	files := Files{{"a.log", "one\ntwo\nthree\nfour\n"}, {"b.log", "five\n"}, {"c.json", `{"kind":"List","items":[{"n":1},{"n":2}]}`}}
	got := smallest(files, func(f Files) bool {
		return strings.Contains(f.String(), "three") && strings.Contains(f.String(), `"n": 2`)
	})
	if s := got.String(); strings.Contains(s, "one") || strings.Contains(s, "five") || strings.Contains(s, `"n": 1`) || !strings.Contains(s, "three") {
		t.Errorf("got\n%s", s)
	}
}

func made(t *testing.T, files ...File) *Case {
	t.Helper()
	e, err := NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	return &Case{Case: cases.Case{Name: t.Name(), Truth: cases.Truth{Class: "network-partition"}}, Files: files, engine: e}
}
