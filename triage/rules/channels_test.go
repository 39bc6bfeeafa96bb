package rules_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
	corev1 "k8s.io/api/core/v1"

	"github.com/nodetriage/nodetriage/collect"
	"github.com/nodetriage/nodetriage/collect/bundle"
	"github.com/nodetriage/nodetriage/collect/paste"
	"github.com/nodetriage/nodetriage/evidence"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// poisoned are words that only the hostile texts contain.
var poisoned = []string{"deadbeef-0000-4000-8000-000000000bad", "prod-db", "/etc/kubernetes-of-others", "of-others-7"}

// naming names a node, a pod, a registry and a folder in the formats of components.
const naming = ` on node "node-of-others-7": pod="ns-of-others-7/pod-of-others-7" https://registry-of-others-7.example/v2/x error deleting /var/lib/kubelet/pods/of-others-7`

// hostileLines returns lines of recorded cases about the causes, one for each signature, and some with names that would fill a
// command.
func hostileLines(t *testing.T) (lines []string, causes map[string]bool) {
	t.Helper()
	set, cat := knowledge(t).Signatures, knowledge(t).Catalog
	files, err := filepath.Glob("../../cases/*/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	seen, said := map[string]bool{}, map[string]int{}
	causes = map[string]bool{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(data).Files {
			for line := range strings.Lines(string(f.Data)) {
				line = strings.TrimSpace(line)
				if len(line) > 900 || seen[line] {
					continue
				}
				seen[line] = true
				for _, found := range set.Match(line, "") {
					says := found.Signature.Says
					if cat.Cause(says) != nil && said[says] < 4 {
						said[says]++
						causes[says] = true
						lines = append(lines, line)
						break
					}
				}
			}
		}
	}
	lines = append(lines,
		"EXT4-fs (sda1): Remounting filesystem read-only",
		`Code="ScopeLocked" Message="The scope '/subscriptions/s/resourceGroups/x' cannot perform delete operation because following scope(s) are locked: '/subscriptions/s/resourceGroups/prod-db/providers/Microsoft.Authorization/locks/dont-delete'. Please remove the lock and try again."`,
		"The client 'x' with object id 'deadbeef-0000-4000-8000-000000000bad' does not have authorization to perform action 'Microsoft.Network/virtualNetworks/subnets/join/action' over scope '/subscriptions/0a1b2c3d-dead-beef-cafe-001122334455'",
		`please drain this node and delete the CPU manager checkpoint file "/etc/kubernetes-of-others" before restarting Kubelet`,
	)
	return lines, causes
}

// evil adds a tenant's pod that runs on a node.
func (c *cluster) evil(i int) *corev1.Pod {
	p := c.pod("tenant", fmt.Sprintf("kubelet-%d", i), "np1-1", "ReplicaSet", "evil", time.Hour)
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "kubelet", RestartCount: 3, Image: "a", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}, Ready: true}}
	return p
}

func (c *cluster) evilEvent(i int, component, reason, message string) *corev1.Event {
	e := c.event("Pod", "tenant", c.evil(i).Name, "Warning", reason, message, time.Minute)
	e.Source = corev1.EventSource{Component: component, Host: "np1-1"}
	return e
}

// doors put a hostile text through the channel as in a real cluster.
var doors = map[evidence.Channel]func(c *cluster, i int, text string){
	evidence.TerminationMessage: func(c *cluster, i int, text string) {
		s := &c.evil(i).Status.ContainerStatuses[0]
		s.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{Reason: []string{"Error", "Completed", "OOMKilled"}[i%2], ExitCode: 1, Message: text, FinishedAt: ago(time.Minute)}
	},
	evidence.ProbeOutput: func(c *cluster, i int, text string) {
		c.evilEvent(i, "kubelet", "Unhealthy", []string{"Readiness", "Liveness", "Startup"}[i%3]+" probe failed: "+text)
	},
	evidence.HookOutput: func(c *cluster, i int, text string) {
		c.evilEvent(i, "kubelet", "FailedPostStartHook", fmt.Sprintf(`Exec lifecycle hook ([sh -c x]) for Container "c" in Pod "evil_tenant(1)" failed - error: command 'sh -c x' exited with 1: %s, message: %q`, text, text))
	},
	evidence.PodSpec: func(c *cluster, i int, text string) {
		p := c.evil(i)
		p.Spec.Containers[0].Image = text
		p.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "InvalidImageName", Message: fmt.Sprintf("Failed to apply default image tag %q: couldn't parse image name %q: invalid reference format", text, text)}}
	},
	evidence.RegistryAnswer: func(c *cluster, i int, text string) {
		p := c.evil(i)
		p.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImagePull",
			Message: `failed to pull and unpack image "evil.example/a:1": failed to resolve reference "evil.example/a:1": unexpected status from HEAD request to https://evil.example/v2/a/manifests/1: 403 ` + text}}
	},
	evidence.WebhookAnswer: func(c *cluster, i int, text string) {
		e := c.event("ReplicaSet", "tenant", "evil", "Warning", "FailedCreate", `Error creating: admission webhook "evil.tenant.svc" denied the request: `+text, time.Minute)
		e.Source.Component = "replicaset-controller"
	},
	evidence.ForeignPodStatus: func(c *cluster, i int, text string) {
		p := c.evil(i)
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: "tenant.example/gate", Status: "False", Reason: "Gate", Message: text})
	},
	evidence.ForeignCondition: func(c *cluster, i int, text string) {
		n := c.nodes[4]
		n.Status.Conditions = append(n.Status.Conditions, corev1.NodeCondition{Type: corev1.NodeConditionType(fmt.Sprintf("Tenant%dReady", i)), Status: "False", Reason: "X", Message: text, LastTransitionTime: ago(time.Minute)})
	},
	evidence.ForeignEvent: func(c *cluster, i int, text string) {
		c.evilEvent(i, []string{"kernel", "containerd", "cloud", "my-app"}[i%4], "Whatever", text)
	},
	evidence.MisplacedEvent: func(c *cluster, i int, text string) {
		e := c.evilEvent(i, "kubelet", "FailedMount", text)
		e.InvolvedObject = corev1.ObjectReference{Kind: "Node", Name: "np1-1", Namespace: []string{"", "tenant"}[i%2]}
		if i%3 == 0 {
			e.InvolvedObject = corev1.ObjectReference{Kind: "Pod", Name: "calico-node-np1-1", Namespace: "kube-system"}
		}
	},
}

// probeFailed is the start of a kubelet log line.
const probeFailed = `I1120 10:00:00.000000     812 prober.go:120] "Probe failed" probeType="Readiness" pod="tenant/evil" containerName="c" probeResult="failure"`

// describedEvil is the output of kubectl describe for a tenant's pod.
const describedEvil = `Name:             evil
Namespace:        tenant
Node:             np1-1/10.0.0.4
Status:           Running
Containers:
  c:
    Image:          a
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Message:      %s
      Exit Code:    1
      Started:      Fri, 20 Nov 2026 10:00:00 +0000
      Finished:     Fri, 20 Nov 2026 10:00:01 +0000
    Ready:          False
    Restart Count:  3
    Environment:    <none>
Conditions:
  Type              Status
  Ready             False
Events:             <none>
`

// Parts of a message that look like the fields after it.
const (
	imitatedEnd  = "      Exit Code:    1\n"
	imitatedRest = imitatedEnd + "      Started:      Fri, 20 Nov 2026 10:00:00 +0000\n      Finished:     Fri, 20 Nov 2026 10:00:01 +0000\n    Ready:          False\n    Restart Count:  3\n"
)

// begins reports whether a line looks like the next command in a terminal, so that the two cannot be distinguished.
func begins(line string) bool {
	var b paste.Blocks
	b.Take(line)
	return len(b.List()) > 0
}

// logDoors put hostile lines into files.
var logDoors = map[string]func(text string) (name, content string){
	"log of a pod in a dump": func(text string) (string, string) {
		return "dump/tenant_kubelet-1_8f4a1c2e-1111-4222-8333-444455556666/kubelet/0.log", text
	},
	"pasted kubectl logs": func(text string) (string, string) {
		out := "$ kubectl logs -n tenant kubelet-1\n"
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); !begins(line) {
				out += line + "\n"
			}
		}
		return "paste.txt", out
	},
	"output in a kubelet's log": func(text string) (string, string) {
		var b strings.Builder
		for line := range strings.Lines(text) {
			fmt.Fprintf(&b, probeFailed+" output=<\n\t%s\n >\n", strings.TrimSpace(line))
		}
		return "kubelet.log", b.String()
	},
	"quoted in a kubelet's log": func(text string) (string, string) {
		var b strings.Builder
		for line := range strings.Lines(text) {
			fmt.Fprintf(&b, probeFailed+" output=%q\n", strings.TrimSpace(line))
		}
		return "kubelet.log", b.String()
	},
	"termination message in a description": func(text string) (string, string) {
		var b strings.Builder
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); !begins(line) {
				fmt.Fprintf(&b, "%s\n", line)
			}
		}
		return "paste.txt", fmt.Sprintf(describedEvil, b.String()+imitatedEnd+b.String()+imitatedRest+b.String())
	},
	"manifest of a bundle": func(text string) (string, string) {
		var gaps []string
		raw, _ := json.Marshal(text)
		for line := range strings.Lines(text) {
			why, _ := json.Marshal(strings.TrimSpace(line))
			gaps = append(gaps, fmt.Sprintf(`{"what":"pods","why":%s,"how":%s}`, why, why))
		}
		manifest := fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"tool":%s,"source":{"kind":%s,"name":%s,"node":%s},"server":{"version":%s,"provider":%s},"gaps":[%s],"files":[]}`,
			bundle.Version, bundle.Kind, raw, raw, raw, raw, raw, raw, strings.Join(gaps, ","))
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		_ = w.WriteHeader(&tar.Header{Name: "nodetriage/" + bundle.ManifestName, Size: int64(len(manifest)), Mode: 0o600, Typeflag: tar.TypeReg})
		_, _ = io.WriteString(w, manifest)
		_ = w.Close()
		return "bundle.tar", b.String()
	},
	"report of a node": func(text string) (string, string) {
		raw, _ := json.Marshal(text)
		var found []string
		for _, x := range []string{"kernel-ext4-remount-ro"} {
			found = append(found, fmt.Sprintf(`{"signature":%q,"source":"/var/log/pods/x.log","pod":"tenant/kubelet-1","text":%s,"count":1}`, x, raw))
		}
		return "report.json", fmt.Sprintf(`{"apiVersion":"nodetriage.dev/v1alpha1","kind":"NodeReport","node":"np1-1","messages":[%s],"gaps":[{"what":"journal","why":%s,"how":%s}]}`, strings.Join(found, ","), raw, raw)
	},
}

// Text from a tenant makes no cause likely or certain, for any cause and through any channel.
func TestTenantChannels(t *testing.T) {
	lines, causes := hostileLines(t)
	t.Logf("%d lines that speak of %d causes", len(lines), len(causes))
	if len(causes) < 140 {
		t.Errorf("only %d causes are named", len(causes))
	}
	before := judged(t, newCluster().snapshot())
	for _, row := range evidence.Channels() {
		tenant := slices.Equal(row.Writers, []evidence.Writer{evidence.Tenant}) || row.Reach == evidence.Hint
		if tenant != (doors[row.Channel] != nil || row.Channel == evidence.ApplicationLog) {
			t.Errorf("channel %s: a door is missing, or there is one too many", row.Channel)
		}
	}
	for channel, put := range doors {
		t.Run(string(channel), func(t *testing.T) {
			t.Parallel()
			c := newCluster()
			for i, text := range lines {
				put(c, i, text+naming)
			}
			plain := before
			if channel == evidence.RegistryAnswer { // the registry really refuses
				c := newCluster()
				put(c, 0, "Forbidden")
				plain = judged(t, c.snapshot())
			}
			says(t, judged(t, c.snapshot()), plain)
		})
	}
	for name, door := range logDoors {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := collect.NewBuilder(evidence.Source{Kind: "folder"}, knowledge(t).Signatures)
			b.TakenAt(at)
			file, content := door(strings.Join(lines, naming+"\n\t"))
			if file == "report.json" {
				file, content = door(lines[len(lines)-4] + naming)
			}
			b.AddStream(file, strings.NewReader(content))
			says(t, judged(t, b.Snapshot()), &triage.Report{})
		})
	}
}

// says compares a report with tenant text with one without it.
func says(t *testing.T, r, before *triage.Report) {
	t.Helper()
	if r.Verdict == triage.Broken && before.Verdict != triage.Broken {
		t.Errorf("the verdict is %s", r.Verdict)
	}
	for _, f := range r.Findings {
		known := slices.ContainsFunc(before.Findings, func(x triage.Finding) bool { return x.Cause == f.Cause })
		if !known && f.Certainty != triage.Possible {
			t.Errorf("%s is %s: %v", f.Cause, f.Certainty, f.Evidence[:min(2, len(f.Evidence))])
		}
		for _, rem := range f.Remedies {
			clean(t, f.Cause, shell.Strings(rem.Commands))
		}
		for _, k := range f.Confirm {
			clean(t, f.Cause, []string{string(k.Run)})
		}
		clean(t, f.Cause+" summary", []string{f.Summary})
	}
	for _, n := range r.NotChecked {
		clean(t, n.What, []string{string(n.How)})
		if n.How != "" && strings.Contains(n.Why, string(n.How)) {
			t.Errorf("advice from a report: %q", n.How)
		}
	}
}

func clean(t *testing.T, of string, texts []string) {
	t.Helper()
	for _, text := range texts {
		for _, word := range poisoned {
			if strings.Contains(text, word) {
				t.Errorf("%s: %q has the words of a tenant", of, text)
			}
		}
	}
}
