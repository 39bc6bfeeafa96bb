package accuracy

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/nodetriage/nodetriage/cases"
	"github.com/nodetriage/nodetriage/knowledge/shell"
	"github.com/nodetriage/nodetriage/triage"
)

// Cloud-OpsBench (github.com/LLM4Ops/Cloud-OpsBench) records, for each fault, the answers of tools about a cluster at that
// moment. The program gets what a person would paste: tables and descriptions of kubectl, and systemctl status.

// nodeFaults are the faults of nodes and the control plane in the benchmark, with the correct causes.
var nodeFaults = map[string][]string{
	"containerd_unavailable": {"runtime-down"}, "kubelet_unavailable": {"kubelet-stopped"}, "kube_proxy_unavailable": {"kube-proxy-failing"},
	"kube_scheduler_unavailable": {"control-plane-degraded"}, "node_network_delay": {"packet-loss", "network-partition"},
	"node_network_packet_loss": {"packet-loss", "network-partition"},
}

// BenchFault is the result for the cases of one fault.
type BenchFault struct {
	Fault  string `json:"fault"`
	OfNode bool   `json:"ofNode"` // of a node or of the control plane
	Cases  int    `json:"cases"`
	Right  int    `json:"right"`  // the first finding is the cause; only for nodes
	Blamed int    `json:"blamed"` // of an application, and the first finding is at least likely and about a node or the cluster
	Hinted int    `json:"hinted"` // the same with a finding that is only possible
	Wrong  int    `json:"wrongAndCertain"`
}

// benchCase is one case of the benchmark: its fault, and the evidence.
type benchCase struct {
	name, fault string
	files       fstest.MapFS
}

// MeetBench judges the cases of a local copy of the benchmark, by fault.
func MeetBench(e *Engine, root fs.FS) ([]BenchFault, error) {
	caches, err := fs.Glob(root, "benchmark/*/*/*/tool_cache.json")
	if err != nil {
		return nil, err
	}
	if len(caches) == 0 {
		return nil, fmt.Errorf("read the benchmark: it has no benchmark/SYSTEM/CATEGORY/CASE/tool_cache.json")
	}
	cases, errs := make([]*benchCase, len(caches)), make([]error, len(caches))
	answers := make([]Answer, len(caches))
	parallel(len(caches), func(i int) {
		if cases[i], errs[i] = readBenchCase(root, path.Dir(caches[i])); errs[i] == nil {
			answers[i] = e.Judge(cases[i].files)
		}
	})
	byFault := map[string]*BenchFault{}
	for i, c := range cases {
		switch {
		case errs[i] != nil:
			return nil, errs[i]
		case answers[i].Broke != "":
			return nil, fmt.Errorf("judge %s: %s", c.name, answers[i].Broke)
		}
		if byFault[c.fault] == nil {
			byFault[c.fault] = &BenchFault{Fault: c.fault, OfNode: nodeFaults[c.fault] != nil}
		}
		byFault[c.fault].count(e, answers[i].Report)
	}
	var out []BenchFault
	for _, f := range byFault {
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b BenchFault) int { return strings.Compare(a.Fault, b.Fault) })
	return out, nil
}

// count adds the answer about one case.
func (f *BenchFault) count(e *Engine, r *triage.Report) {
	f.Cases++
	if len(r.Findings) == 0 {
		return
	}
	first := r.Findings[0]
	if f.OfNode {
		right := slices.Contains(nodeFaults[f.Fault], first.Cause)
		if right {
			f.Right++
		}
		if !right && first.Certainty == triage.Certain {
			f.Wrong++
		}
		return
	}
	if !e.ofNode(first.Cause) {
		return
	}
	if first.Certainty == triage.Possible {
		f.Hinted++
		return
	}
	f.Blamed++
	if first.Certainty == triage.Certain {
		f.Wrong++
	}
}

// ofNode reports whether a cause is about a node, a group of nodes or the cluster, and not about a workload or its placement.
func (e *Engine) ofNode(cause string) bool {
	c := e.catalog.Cause(cause)
	if c == nil || c.Scope == "pod" || c.Scope == "workload" {
		return false
	}
	return !slices.Contains([]string{"scheduling", "workload", "drain"}, c.Layer)
}

// asked is the query of a tool in the benchmark.
type asked struct {
	Resource  string `json:"resource_type"`
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
	Wide      bool   `json:"output_wide"`
	Labels    bool   `json:"show_labels"`
	Node      string `json:"node_name"`
	Service   string `json:"service_name"`
}

func readBenchCase(root fs.FS, dir string) (*benchCase, error) {
	var meta struct {
		Namespace string `json:"namespace"`
		Result    struct {
			RootCause string `json:"root_cause"`
		} `json:"result"`
	}
	var cache map[string]json.RawMessage
	for name, into := range map[string]any{"metadata.json": &meta, "tool_cache.json": &cache} {
		data, err := fs.ReadFile(root, path.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, into); err != nil {
			return nil, fmt.Errorf("read %s/%s: %w", dir, name, err)
		}
	}
	c := &benchCase{name: dir, fault: meta.Result.RootCause, files: fstest.MapFS{}}
	for question, answer := range cache {
		tool, arguments, _ := strings.Cut(question, ":")
		var text string
		var about asked
		if json.Unmarshal(answer, &text) != nil || json.Unmarshal([]byte(arguments), &about) != nil {
			continue // not a text, or a query without arguments
		}
		if name, command := pasted(tool, about, meta.Namespace); name != "" {
			if _, status, headed := strings.Cut(text, "Status: "); headed && tool == "CheckNodeServiceStatus" {
				text = status // the tool prepends the names of service and node
			}
			c.files[name] = &fstest.MapFile{Data: fmt.Appendf(nil, "$ %s\n%s\n", command, text)}
		}
	}
	return c, nil
}

// pasted returns the file in which a person would save the answer, and the command that prints it; empty if the program does
// not get it.
func pasted(tool string, about asked, namespace string) (name string, command shell.Text) {
	nodes := about.Resource == "nodes"
	described := tool == "DescribeResource"
	switch {
	case tool == "CheckNodeServiceStatus":
		return "nodes/" + about.Node + "/" + about.Service + ".txt", shell.Format("systemctl status {unit}", about.Service)
	case described && nodes:
		return "describe-node-" + about.Name + ".txt", shell.Format("kubectl describe node {node}", about.Name)
	case described && about.Resource == "pods":
		return "describe-pod-" + about.Name + ".txt", shell.Format("kubectl describe pod -n {namespace} {pod}", namespace, about.Name)
	case tool != "GetResources" || about.Name != "" || about.Labels:
		return "", ""
	case about.Resource == "events" && !about.Wide:
		return "events-" + about.Namespace + ".txt", shell.Format("kubectl get events -n {namespace}", about.Namespace)
	case about.Resource == "pods" && about.Wide:
		return "pods.txt", shell.Format("kubectl get pods -n {namespace} -o wide", namespace)
	case nodes && about.Wide:
		return "nodes.txt", shell.Text("kubectl get nodes -o wide")
	}
	return "", ""
}

// NodeCases returns the cases of a local copy of the benchmark in which a node or the control plane is at fault, with the correct
// causes.
func NodeCases(root fs.FS) ([]cases.Case, error) {
	caches, err := fs.Glob(root, "benchmark/*/*/*/tool_cache.json")
	if err != nil {
		return nil, err
	}
	var out []cases.Case
	for _, cache := range caches {
		c, err := readBenchCase(root, path.Dir(cache))
		if err != nil {
			return nil, err
		}
		if causes := nodeFaults[c.fault]; causes != nil {
			out = append(out, cases.Case{Name: c.name, Truth: cases.Truth{Class: causes[0], Secondary: causes[1:]}, Evidence: c.files})
		}
	}
	return out, nil
}
