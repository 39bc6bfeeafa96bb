package collect

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/evidence/nodereport"
)

var ownTime = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// ownedReport returns a report that claims a node, with a line about the kubelet and one about a pod.
func ownedReport(node, ids string) string {
	return `{"apiVersion":"nodetriage.dev/v1alpha1","kind":"NodeReport","node":"` + node + `","takenAt":"2026-03-01T09:59:00Z",
"machine":{"hostname":"h","booted":"2026-02-01T00:00:00Z"` + ids + `},
"kubelet":{"series":["rest_client_requests_total{code=\"401\",method=\"PUT\"} 7"]},
"messages":[{"signature":"kubelet-pleg-unhealthy","source":"journal","count":3,"text":"E0301 09:55:00.0 812 kubelet.go:2475] \"Skipping pod synchronization\" err=\"PLEG is not healthy: pleg was last seen active 3m11s ago; threshold is 3m0s\""},
{"signature":"kubelet-pleg-unhealthy","source":"log","pod":"shop/web-0","count":1,"text":"E0301 09:55:00.0 812 kubelet.go:2475] \"Skipping pod synchronization\" err=\"PLEG is not healthy: pleg was last seen active 3m11s ago; threshold is 3m0s\""}]}`
}

// twoNodes adds worker-1 and worker-2, whose kubelets reported a minute and a half before the report.
func twoNodes(b *Builder) {
	for _, name := range []string{"worker-1", "worker-2"} {
		b.AddObject(&corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Status: corev1.NodeStatus{
				NodeInfo:   corev1.NodeSystemInfo{MachineID: "machine-" + name, SystemUUID: "uuid-" + name, BootID: "boot-" + name},
				Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastHeartbeatTime: metav1.NewTime(ownTime.Add(-150 * time.Second))}},
			},
		})
	}
}

// identities are machine identities in a report that claims worker-1, and whether they are of another machine.
var identities = map[string]struct {
	ids   string
	other bool
}{
	"its own":                                  {`,"machineId":"machine-worker-1","systemUuid":"uuid-worker-1","bootId":"boot-worker-1"`, false},
	"written in another way":                   {`,"systemUuid":"UUID-WORKER1"`, false},
	"none, as of an earlier release":           {``, false},
	"the same boot, and an id that is changed": {`,"machineId":"changed","bootId":"boot-worker-1"`, false},
	"another system":                           {`,"systemUuid":"uuid-worker-2"`, true},
	"another system on the machine":            {`,"machineId":"installed-before","systemUuid":"uuid-worker-1","bootId":"x"`, true},
	"all of another node":                      {`,"machineId":"machine-worker-2","systemUuid":"uuid-worker-2","bootId":"boot-worker-2"`, true},
	"the boot of another node":                 {`,"bootId":"boot-worker-2"`, true},
	"another boot while the kubelet reported":  {`,"bootId":"some-boot"`, true},
	"a boot since the kubelet reported":        {`,"bootId":"some-boot","booted":"2026-03-01T09:58:30Z"`, false},
}

// A report belongs to the node that it names, or was fetched from, only if the Node object does not show another machine. This
// holds for reports from agents, files and bundles.
func TestReportIsOfItsMachine(t *testing.T) {
	for name, c := range identities {
		ways := map[string]func(*Builder){
			"fetched": func(b *Builder) {
				b.AddAgentReport("worker-1", ownTime, strings.NewReader(ownedReport("worker-1", c.ids)))
			},
			"peer": func(b *Builder) {
				report := strings.Replace(ownedReport("worker-1", c.ids), `"machine"`, `"setup":{},"machine"`, 1)
				b.AddPeerReport("worker-1", ownTime, strings.NewReader(report))
			},
			"bundle": func(b *Builder) { // the bundle is from a tool without this check, because collect leaves the report out
				told := builderWithSignatures(t)
				told.AddAgentReport("worker-1", ownTime, strings.NewReader(ownedReport("worker-1", c.ids)))
				addFile(t, b, "b.tar.gz", bundled(t, told.Snapshot()))
			},
			"file": func(b *Builder) { addFile(t, b, "report.json", []byte(ownedReport("worker-1", c.ids))) },
		}
		for way, add := range ways {
			t.Run(name+"/"+way, func(t *testing.T) {
				b := builderWithSignatures(t)
				add(b)
				twoNodes(b) // the order does not matter
				d := b.Snapshot().Data()
				if joined := len(d.NodeReports) == 1; joined == c.other {
					t.Fatalf("joined: %t, gaps %+v", joined, d.Gaps)
				}
				if !c.other {
					return
				}
				if len(d.Kubelets) != 0 || countMatches(d, "journal") != 0 {
					t.Errorf("what it brought is still there: %+v %+v", d.Kubelets, d.Matches)
				}
				if !hasGap(d, "not used as a report of node/worker-1") {
					t.Errorf("it is not said: %+v", d.Gaps)
				}
			})
		}
	}
}

// A report fetched from a node counts only for that node. A gap reports that it names another.
func TestFetchedReportNamesAnother(t *testing.T) {
	b := builderWithSignatures(t)
	twoNodes(b)
	b.AddAgentReport("worker-1", ownTime, strings.NewReader(ownedReport("worker-2", "")))
	d := b.Snapshot().Data()
	if len(d.NodeReports) != 1 || d.NodeReports[0].Node != "worker-1" || len(d.Kubelets) != 1 || d.Kubelets[0].Node != "worker-1" {
		t.Errorf("%+v %+v", d.NodeReports, d.Kubelets)
	}
	for _, m := range d.Matches {
		if m.Subject == evidence.NodeSubject("worker-2") {
			t.Errorf("it speaks of the other: %+v", m)
		}
	}
	if !hasGap(d, "claims to be of node/worker-2; it counts only for node/worker-1 because of its source") {
		t.Errorf("%+v", d.Gaps)
	}
}

// The report and logs in an archive fetched by drain or repair count for the node in the archive name.
func TestFetchedArchiveNamesAnother(t *testing.T) {
	for _, node := range []string{"worker-1", "ip-10-0-0-1.ec2.internal"} {
		t.Run(node, func(t *testing.T) {
			b := builderWithSignatures(t)
			twoNodes(b)
			b.AddObject(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node}})
			log := "Mar  1 09:55:00 worker-2 kubelet[812]: E0301 09:55:00.000000     812 kubelet.go:2475] \"Skipping pod synchronization\" err=\"PLEG is not healthy: pleg was last seen active 3m11s ago; threshold is 3m0s\"\n"
			archive := packed(t, map[string]string{"report.json": ownedReport("worker-2", ""), "journal.log": log})
			addFile(t, b, nodereport.SavedAs(node, ownTime), archive)
			d := b.Snapshot().Data()
			if len(d.NodeReports) != 1 || d.NodeReports[0].Node != node {
				t.Fatalf("%+v", *d.NodeReports[0])
			}
			for _, m := range d.Matches {
				if m.Subject == evidence.NodeSubject("worker-2") {
					t.Errorf("it speaks of the other: %+v", m)
				}
			}
			if len(d.Matches) < 3 || !hasGap(d, "it counts only for node/"+node+" ") {
				t.Errorf("%d matches, %+v", len(d.Matches), d.Gaps)
			}
		})
	}
}

// A report covers only pods of its node. A match about a pod on another node becomes one about its own node.
func TestReportSpeaksOfItsPods(t *testing.T) {
	for on, want := range map[string]evidence.Subject{
		"worker-1": evidence.PodSubject("shop", "web-0"),
		"worker-2": evidence.NodeSubject("worker-1"),
		"":         evidence.PodSubject("shop", "web-0"),
	} {
		b := builderWithSignatures(t)
		twoNodes(b)
		b.AddObject(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0"}, Spec: corev1.PodSpec{NodeName: on}})
		b.AddAgentReport("worker-1", ownTime, strings.NewReader(ownedReport("worker-1", "")))
		found := false
		for _, m := range b.Snapshot().Data().Matches {
			if strings.HasSuffix(m.Ref.Source, ": log") {
				found = true
				if m.Subject != want {
					t.Errorf("the pod is on %q: the line is about %v, want %v", on, m.Subject, want)
				}
			}
		}
		if !found {
			t.Error("the line is not there")
		}
	}
}

// Kept reports stay with their node, even if the Node object has another name than the file.
func TestEarlierReportByAlias(t *testing.T) {
	b := builderWithSignatures(t)
	b.AddObject(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "h1.example.com"}})
	b.TakenAt(ownTime)
	kept := strings.Replace(ownedReport("h1", ""), `"kind"`, `"away":true,"kind"`, 1)
	addFile(t, b, "away.json", []byte(strings.ReplaceAll(kept, "\n", "")+"\n"))
	d := b.Snapshot().Data()
	if len(d.NodeReports) != 1 || len(d.NodeReports[0].Earlier) != 1 || d.NodeReports[0].Node != "h1.example.com" || len(d.Gaps) != 0 {
		t.Errorf("%+v %+v", d.NodeReports, d.Gaps)
	}
}

// An earlier report inside a report belongs to the same node.
func TestEarlierReportNamesAnother(t *testing.T) {
	b := builderWithSignatures(t)
	twoNodes(b)
	inner := strings.Replace(ownedReport("worker-2", ""), `"kind"`, `"away":true,"kind"`, 1)
	outer := strings.Replace(ownedReport("worker-1", ""), `"machine"`, `"earlier":[`+inner+`],"machine"`, 1)
	addFile(t, b, "report.json", []byte(outer))
	d := b.Snapshot().Data()
	if len(d.NodeReports) != 1 || len(d.NodeReports[0].Earlier) != 0 || !hasGap(d, "earlier report of another node") {
		t.Errorf("%+v %+v", d.NodeReports, d.Gaps)
	}
}

func addFile(t *testing.T, b *Builder, name string, data []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.AddPath(path); err != nil {
		t.Fatal(err)
	}
}

func bundled(t *testing.T, s *evidence.Snapshot) []byte {
	t.Helper()
	texts, err := bundle.NewTexts(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer texts.Close()
	var out bytes.Buffer
	if _, err := bundle.Write(t.Context(), &out, s, texts, bundle.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func packed(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o600, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprint(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func hasGap(d *evidence.Data, text string) bool {
	for _, g := range d.Gaps {
		if strings.Contains(g.Why, text) {
			return true
		}
	}
	return false
}

func countMatches(d *evidence.Data, source string) (n int) {
	for _, m := range d.Matches {
		if strings.HasSuffix(m.Ref.Source, source) {
			n++
		}
	}
	return n
}

// An archive alone, of a node with a name that is escaped in file names: report and logs belong to one node.
func TestArchiveAlone(t *testing.T) {
	const node = "ip-10-0-0-1.ec2.internal"
	b := builderWithSignatures(t)
	log := "Mar  1 09:55:00 h kubelet[812]: E0301 09:55:00.000000     812 kubelet.go:2475] \"Skipping pod synchronization\" err=\"PLEG is not healthy: pleg was last seen active 3m11s ago; threshold is 3m0s\"\n"
	addFile(t, b, nodereport.SavedAs(node, ownTime), packed(t, map[string]string{"report.json": ownedReport(node, ""), "journal.log": log}))
	d := b.Snapshot().Data()
	for _, m := range d.Matches {
		if m.Subject.Kind == "Node" && m.Subject.Name != node {
			t.Errorf("%+v", m)
		}
	}
	if len(d.NodeReports) != 1 || d.NodeReports[0].Node != node || len(d.Matches) < 3 || len(d.Gaps) != 0 {
		t.Errorf("%+v %+v %+v", d.NodeReports, d.Matches, d.Gaps)
	}
}
